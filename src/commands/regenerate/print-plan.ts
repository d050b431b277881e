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

function printGroup(changes: readonly Change[], style: Style): string {
  const width = Math.min(widestPath, Math.max(...changes.map(({ path }) => path.length)));
  return changes
    .map(({ action, path, from, reason }) => {
      const why = [from === undefined ? '' : `From \`${from}\`.`, reason].filter(Boolean).join(' ');
      const word = style[marks[action]](action.padEnd(widestAction));
      return `${`  ${word}  ${path.padEnd(width)}  ${style.faint(why)}`.trimEnd()}\n`;
    })
    .join('');
}

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
