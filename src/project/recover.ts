/** Finishes or takes back what an interrupted run left; every command that writes calls it first, under the run lock. */
export async function recover(_folder: string): Promise<'nothing' | 'finished' | 'undone'> {
  throw new Error('to come');
}
