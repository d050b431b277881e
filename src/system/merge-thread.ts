import { on } from 'node:events';
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { StructuredMerge } from '../merge/merge.ts';

/** Only where it is built: from the sources themselves no thread can load it. */
const program = new URL('./merge-thread-program.js', import.meta.url);

/** Lends a merge of TypeScript in a thread of its own, which loads the parser while this one reads and plans. */
export async function withMergeThread<T>(
  work: (mergeTypeScript: StructuredMerge | undefined) => Promise<T>,
): Promise<T> {
  if (!existsSync(program)) return work(undefined);
  const thread = new Worker(program);
  // Listens from the start: what goes wrong while it loads reaches whoever asks first.
  const answers = on(thread, 'message');
  try {
    return await work(async (...given) => {
      thread.postMessage(given, []);
      const { value } = await answers.next();
      return value[0];
    });
  } finally {
    void thread.terminate();
  }
}
