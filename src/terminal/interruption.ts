/**
 * Ctrl-C and its relatives, as a signal that long steps listen to: what has begun can then be taken back, and the
 * program leaves by its one exit.
 */
export function listenForInterruption(): AbortSignal {
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => interruption.abort());
  }
  return interruption.signal;
}
