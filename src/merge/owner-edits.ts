import type { Conflict, FileKind, ThreeTexts } from './conflict.ts';
import { bareName } from './keyed/tree.ts';
import { loadTypeScript } from './load-typescript.ts';
import type { Chunk } from './markers.ts';
import { exportedNames } from './modules.ts';
import { listChangedLines, lines, withoutLayout } from './text.ts';

/**
 * Puts markers around the owner's edits of a file that is no longer made. In TypeScript, each conflict names the file
 * that has the declaration now. `successors`: the files with its content; `others`: files that may have its exports.
 */
export async function markOwnerEdits(
  kind: FileKind,
  { base, ours }: Pick<ThreeTexts, 'base' | 'ours'>,
  { successors, others }: Readonly<Record<'successors' | 'others', readonly OwnerFile[]>>,
): Promise<readonly Chunk[]> {
  const [before, after] = [lines(base), lines(ours)];
  const changes = listChangedLines(before.map(withoutLayout), after.map(withoutLayout));
  const names = kind === 'ts' ? await nameChanges(changes, after) : [];
  const wanted = new Set(names.filter((name) => name !== ''));
  const found = await readDeclarations(wanted, successors, others);
  const chunks: Chunk[] = [];
  let line = 0;
  for (const [index, change] of changes.entries()) {
    const [start, count] = change.after;
    const [was, length] = change.before;
    const name = names[index] ?? '';
    // A declaration is shown once for all edits in it.
    const there = found.get(name);
    const theirs = (names.indexOf(name) === index && there?.text) || '';
    const conflict: Conflict = {
      where: [{ kind: 'value', name: [name] }],
      base: before.slice(was, was + length).join(''),
      ours: after.slice(start, start + count).join(''),
      theirs,
      ...(there && { now: there.path }),
    };
    chunks.push(after.slice(line, start).join(''), conflict);
    line = start + count;
  }
  chunks.push(after.slice(line).join(''));
  return chunks;
}

/** The declaration in which each change begins; empty if there is none. */
async function nameChanges(
  changes: ReturnType<typeof listChangedLines>,
  text: readonly string[],
): Promise<readonly string[]> {
  const { typescript } = await loadTypeScript();
  const items = typescript.parse(text.join(''))?.root.items ?? [];
  const lengthTo = (line: number) => text.slice(0, line).join('').length;
  return changes.map(({ after: [at, count] }) => {
    const [start, end] = [lengthTo(at), lengthTo(at + count)];
    const met = items.filter(({ full }) => full.start < end && start < full.end);
    const item = met.find(({ node }) => node.start >= start) ?? met[0];
    const [first] = item?.isImport === false ? item.bindings : [];
    return first === undefined ? '' : bareName(first);
  });
}

interface OwnerFile {
  readonly path: string;
  readonly content: string;
}

/** The declaration of each name, from the first file that has it. One of the others has to export it. */
async function readDeclarations(
  names: ReadonlySet<string>,
  successors: readonly OwnerFile[],
  others: readonly OwnerFile[],
): Promise<ReadonlyMap<string, { readonly text: string; readonly path: string }>> {
  const found = new Map<string, { readonly text: string; readonly path: string }>();
  if (names.size === 0) return found;
  const { findDeclaration } = await loadTypeScript();
  for (const name of names)
    for (const file of [...successors, ...others]) {
      const { path, content } = file;
      const isMeant = successors.includes(file) || exportedNames(content).has(name);
      if (found.has(name) || !content.includes(name) || !isMeant) continue;
      const text = findDeclaration(content, name)?.text;
      if (text !== undefined) found.set(name, { text: `${text}\n`, path });
    }
  return found;
}
