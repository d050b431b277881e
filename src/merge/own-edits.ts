import type { Labels, Merged, ThreeTexts } from './conflict.ts';
import { printStretches, type OpenConflict, type Stretch } from './markers.ts';
import type { MergeKind } from './merge.ts';
import { changedLines, lines } from './text.ts';

/**
 * Mine with markers around each place that is not as in the base; in TypeScript with what stands for the same declaration
 * elsewhere. What only a formatter changed is no edit. `now`: texts in which what was in this one is now.
 */
export async function markOwnEdits(
  kind: MergeKind,
  { base, mine }: Pick<ThreeTexts, 'base' | 'mine'>,
  now: readonly string[],
  labels: Labels,
): Promise<Merged> {
  const [before, after] = [lines(base), lines(mine)];
  const changes = changedLines(before.map(bareLine), after.map(bareLine));
  const names = changes.map(({ after: [at, count] }) =>
    kind === 'ts' ? declaredAt(after, { at, count }) : '',
  );
  const textOf = kind === 'ts' ? await findDeclarations(now) : () => '';
  const stretches: Stretch[] = [];
  let place = 0;
  for (const [index, change] of changes.entries()) {
    const [start, count] = change.after;
    const [was, length] = change.before;
    const where = names[index] ?? '';
    // Shown once for all that was edited in it.
    const theirs = names.indexOf(where) === index ? textOf(where) : '';
    const conflict: OpenConflict = {
      where,
      base: before.slice(was, was + length).join(''),
      mine: after.slice(start, start + count).join(''),
      theirs,
    };
    stretches.push(after.slice(place, start).join(''), conflict);
    place = start + count;
  }
  stretches.push(after.slice(place).join(''));
  return printStretches(stretches, labels);
}

function bareLine(line: string): string {
  return line.replace(/[\s'"`;,]/g, '');
}

const declaration =
  /^(?:export\s+)?(?:default\s+)?(?:declare\s+|async\s+|abstract\s+)*(?:function\*?|class|interface|type|enum|const|let|var)\s+([\w$]+)/;

const nameIn = (line = '') => declaration.exec(line)?.[1];

/** The name of the declaration that begins in these lines, or that they are in. */
function declaredAt(
  all: readonly string[],
  { at, count }: { readonly at: number; readonly count: number },
): string {
  const begun = all.slice(at, at + count).flatMap((line) => nameIn(line) ?? []);
  if (begun[0] !== undefined) return begun[0];
  const above = all.slice(0, at).findLastIndex((line) => /^[\w}\])]/.test(line));
  return nameIn(all[above]) ?? '';
}

/** The whole declaration of a name, from the first text that has it. */
async function findDeclarations(texts: readonly string[]): Promise<(name: string) => string> {
  // The compiler takes a third of a second to load.
  const { typescript } = await import('./typescript/parse.ts');
  const trees = texts.flatMap((text) => typescript.parse(text) ?? []);
  const found = new Map(
    trees
      .toReversed()
      .flatMap(({ root, source }) =>
        root.items.flatMap(({ binds, unites, full }) =>
          unites
            ? []
            : binds.map(
                ({ name }) =>
                  [name, `${source.text.slice(full.start, full.end).trim()}\n`] as const,
              ),
        ),
      ),
  );
  return (name) => found.get(name) ?? '';
}
