import { join } from 'node:path';
import { root } from './root.ts';

/** What is dear to make and the same for every run: installed dependencies, other versions of Node, a browser. */
export const cacheFolder = join(root, '.cache');
