import { parentPort } from 'node:worker_threads';
import { mergeTypeScript } from '../merge/typescript/merge-typescript.ts';

parentPort?.on('message', (given: Parameters<typeof mergeTypeScript>) => {
  parentPort?.postMessage(mergeTypeScript(...given), []);
});
