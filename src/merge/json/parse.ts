import type { Tree } from '../keyed/tree.ts'; export function parseJson(_text: string): Tree | undefined { return undefined; }
