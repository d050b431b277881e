import type { Conflict, ThreeTexts } from './conflict.ts';
import type { Stretch } from './markers.ts';
import type { MergeKind } from './merge.ts';
import { changedLines, lines } from './text.ts';

/**
 * Mine with markers around each place that is not as in the base; in TypeScript with what stands for the same declaration
 * elsewhere, and the file that has it. What only a formatter changed is not an edit. `now`: files in which what was in this
 * one is now; `others`: that may have what it exported.
 */
export async function markOwnEdits(
  kind: MergeKind,
  { base, mine }: Pick<ThreeTexts, 'base' | 'mine'>,
  { now, others }: { readonly now: readonly CodeFile[]; readonly others: readonly CodeFile[] },
): Promise<readonly Stretch[]> {
  const [before, after] = [lines(base), lines(mine)];
  const changes = changedLines(before.map(bareLine), after.map(bareLine));
  const names = changes.map(({ after: [at, count] }) =>
    kind === 'ts' ? declaredAt(after, { at, count }) : '',
  );
  const wanted = new Set(names.filter((name) => name !== ''));
  const found = new Map([
    ...(await findDeclarations(others, wanted, (text) => /^export\b/m.test(text))),
    ...(await findDeclarations(now, wanted, () => true)),
  ]);
  const stretches: Stretch[] = [];
  let place = 0;
  for (const [index, change] of changes.entries()) {
    const [start, count] = change.after;
    const [was, length] = change.before;
    const where = names[index] ?? '';
    // Shown once for all that was edited in it.
    const there = found.get(where);
    const theirs = (names.indexOf(where) === index && there?.text) || '';
    const conflict: Conflict = {
      where,
      base: before.slice(was, was + length).join(''),
      mine: after.slice(start, start + count).join(''),
      theirs,
      ...(there && { now: there.path }),
    };
    stretches.push(after.slice(place, start).join(''), conflict);
    place = start + count;
  }
  stretches.push(after.slice(place).join(''));
  return stretches;
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
  // `): void {` goes on with what begins above it.
  const above = all.slice(0, at).findLastIndex((line) => /^(?:[\w}\]]|\)(?!.*\{\s*$))/.test(line));
  return nameIn(all[above]) ?? '';
}

interface CodeFile {
  readonly path: string;
  readonly content: string;
}

/** The whole declaration of each name, from the first file that has it. */
async function findDeclarations(
  files: readonly CodeFile[],
  names: ReadonlySet<string>,
  isMeant: (text: string) => boolean,
): Promise<ReadonlyMap<string, { readonly text: string; readonly path: string }>> {
  const found = new Map<string, { readonly text: string; readonly path: string }>();
  if (names.size === 0) return found;
  // The compiler takes a third of a second to load.
  const { findDeclaration } = await import('./typescript/find-declaration.ts');
  for (const name of names)
    for (const { path, content } of files) {
      if (found.has(name) || !content.includes(name)) continue;
      const text = findDeclaration(content, name)?.text;
      if (text !== undefined && isMeant(text)) found.set(name, { text: `${text}\n`, path });
    }
  return found;
}
