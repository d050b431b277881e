/** Runs `work` while no other run of ours writes in the project; throws a `UserError` (SCF505) when one does. */
export async function withRunLock<T>(_folder: string, _work: () => Promise<T>): Promise<T> {
  throw new Error('to come');
}
