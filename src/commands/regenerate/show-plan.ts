import { groupBy } from '../../group-by.ts';
import { countEach } from '../../words.ts';
import { isHistory } from '../../project/paths.ts';
import type { FileChange, Plan, Action } from '../../project/plan.ts';
import type { ReportedChange } from '../../terminal/report.ts';
import { colorDiff, type Style } from '../../terminal/style.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { printFileDiff } from './file-diff.ts';
import type { RegenerateRequest } from './request.ts';

type Form = Pick<RegenerateRequest, 'diff' | 'check'>;

/** Prints a plan: a list, with lines in which the owner's names were changed, or a diff. `--check` prints nothing. */
export function showPlan(
  { out, json }: Terminal,
  {
    plan,
    newMigration,
  }: {
    readonly plan: Plan;
    readonly newMigration?: { readonly changes: readonly { readonly sentence: string }[] };
  },
  { diff, check }: Form,
  renamed: readonly FileChange[] = [],
): void {
  if (json || check) return;
  const sentences = (newMigration?.changes ?? []).map(({ sentence }) => sentence);
  out.write(
    diff
      ? colorDiff(out.style, plan.changes.map(printFileDiff).join(''))
      : printChanges(plan, out.style, sentences) + printRenamed(renamed, out.style),
  );
}

function printRenamed(renamed: readonly FileChange[], style: Style): string {
  if (renamed.length === 0) return '';
  return `\n${style.strong('Your code')}\n${colorDiff(style, renamed.map(printFileDiff).join(''))}`;
}

/** A plan for `--json`. */
export function listReportedChanges({ changes }: Plan, { diff }: Form): ReportedChange[] {
  return changes.map((change) => ({
    path: change.path,
    action: change.action,
    model: change.model,
    reason: change.reason,
    from: change.from,
    ...(diff && { diff: printFileDiff(change) }),
  }));
}

/** Prints changes by model, each with its action and reason, then those of the database and of the project. */
function printChanges({ changes }: Plan, style: Style, sentences: readonly string[]): string {
  const printGroup = (heading: string, members: readonly FileChange[], summary = '') =>
    members.length === 0
      ? []
      : [`${style.strong(heading)}\n${summary}${printFiles(members, style)}`];
  const byModel = groupBy(changes, ({ model }) => model);
  const models = [...byModel.keys()].filter((model) => model !== undefined).toSorted();
  const shared = byModel.get(undefined) ?? [];
  const listed = [
    ...models.flatMap((model) => printGroup(model, byModel.get(model) ?? [])),
    ...printGroup(
      'Database',
      shared.filter(({ path }) => isHistory(path)),
      sentences.map((it) => `  ${it}\n`).join(''),
    ),
    ...printGroup(
      'Project',
      shared.filter(({ path }) => !isHistory(path)),
    ),
  ].join('\n');
  return changes.length > many ? `${countActions(changes)}\n\n${listed}` : listed;
}

const widestAction = 'conflict'.length;
const widestPath = 48;

function printFiles(changes: readonly FileChange[], style: Style): string {
  const lines = [...new Map(changes.map((it) => [shownPath(it.path), it]))].map(toLine);
  const width = Math.min(widestPath, Math.max(...lines.map(({ path }) => path.length)));
  return lines
    .map(({ action, path, why }) => {
      const word = style[marks[action]](action.padEnd(widestAction));
      return `${`  ${word}  ${path.padEnd(width)}  ${style.faint(why)}`.trimEnd()}\n`;
    })
    .join('');
}

/** A migration is shown by its folder. */
function shownPath(path: string): string {
  return /^migrations\/.+\//.exec(path)?.[0] ?? path;
}

function toLine([path, change]: readonly [string, FileChange]) {
  const { action, from, reason } = change;
  const isMigration = path !== change.path;
  const isOfCourse = selfEvident.has(action) && !(action === 'update' && isMigration);
  const shown = isOfCourse ? '' : reason;
  const origin = from === undefined ? '' : `From \`${shownPath(from)}\`.`;
  return { action, path, why: [origin, shown].filter(Boolean).join(' ') };
}

/** Scaffold's own files need no reason, except for changed migrations. */
const selfEvident: ReadonlySet<Action> = new Set(['create', 'update', 'delete']);

const marks: Readonly<Record<Action, keyof Style>> = {
  create: 'good',
  restore: 'good',
  update: 'accent',
  merge: 'accent',
  move: 'accent',
  conflict: 'bad',
  delete: 'careful',
  eject: 'careful',
  adopt: 'faint',
  skip: 'faint',
};

/** Longer lists begin with a summary. */
const many = 50;

/** `52 files: 1 conflict, 12 create, 39 update`. What needs attention comes first. */
function countActions(changes: readonly FileChange[]): string {
  const first: readonly Action[] = ['conflict', 'merge', 'eject', 'delete'];
  const urgency = (action: Action) => [...first, action].indexOf(action);
  const counted = [...countEach(changes.map(({ action }) => action))]
    .toSorted(([left], [right]) => urgency(left) - urgency(right))
    .map(([action, count]) => `${count} ${action}`);
  return `${changes.length} files: ${counted.join(', ')}`;
}
