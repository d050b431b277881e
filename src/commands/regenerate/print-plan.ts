import type { Action, Change, Plan } from '../../project/plan.ts';
import type { Style } from '../../terminal/style.ts';

/** The changes of a plan for people: by model, each file with its fate and why; first what the database will be. */
export function printPlan(
  { changes }: Pick<Plan, 'changes'>,
  style: Style,
  sentences: readonly string[] = [],
): string {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const name = groupOf(change);
    groups.set(name, [...(groups.get(name) ?? []), change]);
  }
  return [...groups]
    .toSorted(([left], [right]) => rank(left) - rank(right) || (left < right ? -1 : 1))
    .map(([name, members]) => {
      const told = name === 'Database' ? sentences.map((it) => `  ${it}\n`).join('') : '';
      return `${style.strong(name)}\n${told}${printGroup(members, style)}`;
    })
    .join('\n');
}

const rest = ['Database', 'Project'];

function groupOf({ path, model }: Change): string {
  return model ?? (path.startsWith('migrations/') ? 'Database' : 'Project');
}

const rank = (name: string) => rest.indexOf(name);

const widestAction = 'conflict'.length;
const widestPath = 48;

interface Line {
  readonly action: Action;
  readonly path: string;
  readonly why: string;
}

function printGroup(changes: readonly Change[], style: Style): string {
  const lines = [...new Map(changes.map((it) => [shown(it.path), it]))].map(toLine);
  const width = Math.min(widestPath, Math.max(...lines.map(({ path }) => path.length)));
  return lines
    .map(({ action, path, why }) => {
      const word = style[marks[action]](action.padEnd(widestAction));
      return `${`  ${word}  ${path.padEnd(width)}  ${style.faint(why)}`.trimEnd()}\n`;
    })
    .join('');
}

/** A migration comes and goes as a whole. */
function shown(path: string): string {
  return /^migrations\/.+\//.exec(path)?.[0] ?? path;
}

function toLine([path, { action, from, reason }]: readonly [string, Change]): Line {
  const isOfCourse = untold.has(action) && !(action === 'update' && path.endsWith('/'));
  const told = isOfCourse ? '' : reason;
  const origin = from === undefined ? '' : `From \`${shown(from)}\`.`;
  return { action, path, why: [origin, told].filter(Boolean).join(' ') };
}

/** Nobody asks why scaffold writes what is its own; but history does not change by itself. */
const untold: ReadonlySet<Action> = new Set(['create', 'update', 'delete']);

const marks: Readonly<Record<Action, keyof Style>> = {
  create: 'good',
  restore: 'good',
  update: 'place',
  merge: 'place',
  move: 'place',
  conflict: 'bad',
  delete: 'careful',
  eject: 'careful',
  adopt: 'faint',
  skip: 'faint',
};
