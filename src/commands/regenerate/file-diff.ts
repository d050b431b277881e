import { unifiedDiff } from '../../merge/text.ts';
import type { FileChange } from '../../project/plan.ts';

/** A diff that `git apply` accepts; empty if no line changes and the file does not move. */
export function printFileDiff(change: FileChange): string {
  const { path, from, before, after, mode } = change;
  if (path === '.env') return addedSettings(change);
  const isMove = from !== undefined && from !== path;
  const lines = unifiedDiff(orEmpty(before), orEmpty(after));
  if (lines === '' && !isMove && (before === undefined) === (after === undefined)) return '';
  const names = {
    before: before === undefined ? '/dev/null' : `a/${from ?? path}`,
    after: after === undefined ? '/dev/null' : `b/${path}`,
  };
  return [
    `diff --git a/${from ?? path} b/${path}\n`,
    ...(before === undefined ? [`new file mode 100${mode}\n`] : []),
    ...(after === undefined ? [`deleted file mode 100${mode}\n`] : []),
    ...(isMove ? [`rename from ${from}\nrename to ${path}\n`] : []),
    ...(lines === '' ? [] : [`--- ${names.before}\n+++ ${names.after}\n${lines}`]),
  ].join('');
}

const orEmpty = (text = '') => text;

/** Shows only additions to `.env`, which has secrets and is not in git. Git ignores lines in this form. */
function addedSettings({ before, after }: FileChange): string {
  const there = new Set(orEmpty(before).split(/\r?\n/));
  const added = orEmpty(after)
    .split(/\r?\n/)
    .filter((line) => !there.has(line));
  if (added.length === 0) return '';
  return `# .env gets\n${added.map((line) => `#   ${line}\n`).join('')}`;
}
