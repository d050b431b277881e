import { shell } from '../../render/helpers.ts';
import type { RegenerateRequest } from './request.ts';

/** The command as it was typed, with more flags: to be pasted. */
export function commandText(request: RegenerateRequest, more: readonly string[] = []): string {
  const { dir, dryRun, diff, codemod, onConflict, name } = request;
  const { rename = [], accept = [], moved = [], only = [], restore = [] } = request;
  const words = [
    ...(dir === '.' ? [] : [dir]),
    ...(dryRun ? ['--dry-run'] : []),
    ...(diff ? ['--diff'] : []),
    ...each('--rename', rename),
    ...each('--accept', accept),
    ...each('--moved', moved),
    ...each('--only', only),
    ...each('--restore', restore),
    ...(onConflict ? ['--on-conflict', onConflict] : []),
    ...(name === undefined ? [] : ['--name', name]),
    ...(codemod ? ['--codemod'] : []),
    ...more,
  ];
  return ['scaffold regenerate', ...words.map(shell)].join(' ');
}

const each = (flag: string, values: readonly string[]) => values.flatMap((it) => [flag, it]);
