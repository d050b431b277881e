/** Called once with each thing that was started: how to stop it. */
export type AtEnd = (stop: () => Promise<unknown>) => void;

/** Runs work, and stops what it has started, the last first, also when it fails. */
export async function stopping<Result>(work: (atEnd: AtEnd) => Promise<Result>): Promise<Result> {
  const stops: (() => Promise<unknown>)[] = [];
  try {
    return await work((stop) => stops.push(stop));
  } finally {
    const stopNext = async (): Promise<void> => {
      const stop = stops.pop();
      if (stop !== undefined) await stop().finally(stopNext);
    };
    await stopNext();
  }
}
