import { join } from 'node:path';

/** Options for vitest in a project that is run again and again: all but one file is as it was in the run before. */
export const cached = (folder: string): readonly string[] => [
  '--experimental.fsModuleCache',
  `--experimental.fsModuleCachePath=${join(folder, '.cache')}`,
];
