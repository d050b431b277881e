import type { Conflict, FileKind, ThreeTexts } from './conflict.ts';
import { bareName } from './keyed/tree.ts';
import { loadTypeScript } from './load-typescript.ts';
import type { Stretch } from './markers.ts';
import { changedLines, lines, squeeze } from './text.ts';

/**
 * Mine with markers around each place that differs from the base; in TypeScript, with the same declaration elsewhere
 * and the file that has it. What only a formatter changed is not an edit. `now`: files that have the content now;
 * `others`: files that may have its exports.
 */
export async function markOwnEdits(
  kind: FileKind,
  { base, mine }: Pick<ThreeTexts, 'base' | 'mine'>,
  { now, others }: { readonly now: readonly CodeFile[]; readonly others: readonly CodeFile[] },
): Promise<readonly Stretch[]> {
  const [before, after] = [lines(base), lines(mine)];
  const changes = changedLines(before.map(squeeze), after.map(squeeze));
  const items =
    kind === 'ts' ? ((await loadTypeScript()).typescript.parse(mine)?.root.items ?? []) : [];
  const lengthTo = (line: number) => after.slice(0, line).join('').length;
  const names = changes.map(({ after: [at, count] }) => {
    const [start, end] = [lengthTo(at), lengthTo(at + count)];
    const met = items.filter(({ full }) => full.start < end && start < full.end);
    const item = met.find(({ node }) => node.start >= start) ?? met[0];
    const [first] = item?.unites === false ? item.binds : [];
    return first === undefined ? '' : bareName(first);
  });
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
    const name = names[index] ?? '';
    // Shown once for all edits in it.
    const there = found.get(name);
    const theirs = (names.indexOf(name) === index && there?.text) || '';
    const conflict: Conflict = {
      where: [{ kind: 'value', name: [name] }],
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
  const { findDeclaration } = await loadTypeScript();
  for (const name of names)
    for (const { path, content } of files) {
      if (found.has(name) || !content.includes(name)) continue;
      const text = findDeclaration(content, name)?.text;
      if (text !== undefined && isMeant(text)) found.set(name, { text: `${text}\n`, path });
    }
  return found;
}
