import { plain } from '../../../merge/line-endings.ts';
import type { MemberUse } from '../../../merge/typescript/member-uses.ts';
import { openDisk } from '../../../project/disk.ts';
import { formerBases } from '../../../project/plan/former-bases.ts';
import { respell } from '../../../project/plan/spellings.ts';
import type { Project } from '../../../project/read-project.ts';
import type { Regeneration } from '../../../project/regeneration.ts';
import type { Texts } from '../../../system/mirror.ts';
import { listSources } from '../../../system/sources.ts';
import { findHandedOn, type HandedOn } from './handed-on.ts';

/** A use, in a line of the owner's that the run leaves as it is, of a name that means another thing now. */
export interface OwnUse {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly handedOn: HandedOn;
}

interface Found extends OwnUse {
  readonly use: MemberUse;
}

/** No compiler sees them: every name is still there. */
export async function findOwnUses(
  project: Project,
  regeneration: Regeneration,
  texts: Texts,
): Promise<readonly OwnUse[]> {
  const found = await findAll(project, regeneration, texts);
  return found.flatMap(({ uses }) => uses.map(asUse));
}

/** The files in which each such use has the new name, where it is plain which thing is meant. */
export async function exchangeOwnUses(
  project: Project,
  regeneration: Regeneration,
  texts: Texts,
): Promise<Texts> {
  const found = await findAll(project, regeneration, texts);
  if (found.length === 0) return new Map();
  const { applyEdits } = await import('../../../merge/typescript/rename-edits.ts');
  return new Map(
    found.flatMap(({ path, text, uses }) => {
      const edits = uses.flatMap(({ use, handedOn: { kind, now, isShared } }) =>
        kind === 'member' && now !== undefined && !isShared ? [use.rename(now)] : [],
      );
      return edits.length === 0 ? [] : [[path, applyEdits(text, edits)] as const];
    }),
  );
}

/**
 * What is left where a compiler has exchanged all that it sees: texts that plainly name a member are exchanged as well,
 * the other uses are listed.
 */
export async function exchangeTexts(
  project: Project,
  regeneration: Regeneration,
  texts: Texts,
): Promise<{ readonly texts: Texts; readonly left: readonly OwnUse[] }> {
  const found = await findAll(project, regeneration, texts, true);
  const { applyEdits } = await import('../../../merge/typescript/rename-edits.ts');
  const exchanged = found.flatMap(({ path, text, uses }) => {
    const edits = uses.filter(isPlain).map(({ use, handedOn: { now = '' } }) => use.rename(now));
    return edits.length === 0 ? [] : [[path, applyEdits(text, edits)] as const];
  });
  const left = found.flatMap(({ uses }) => uses.filter((it) => !isPlain(it)).map(asUse));
  return { texts: new Map(exchanged), left };
}

/** It names a member that no other model has by that name. */
const isPlain = ({ use, handedOn: { kind, now, isShared } }: Found) =>
  use.isText && kind === 'member' && now !== undefined && !isShared;

const asUse = ({ path, line, column, handedOn }: Found): OwnUse => ({
  path,
  line,
  column,
  handedOn,
});

interface InFile {
  readonly path: string;
  readonly text: string;
  readonly uses: readonly Found[];
}

async function findAll(
  project: Project,
  { app, plan, rendered }: Regeneration,
  texts: Texts,
  isWhole = false,
): Promise<readonly InFile[]> {
  const handedOn = findHandedOn(project.app, app);
  if (handedOn.length === 0) return [];
  const disk = openDisk(project.folder);
  const baseOf = formerBases(project, disk);
  const made = new Map(rendered.map(({ path, content }) => [path, content]));
  const planned = new Map(plan.changes.map((it) => [it.path, it]));
  const paths = new Set([...listSources(project.folder).files, ...texts.keys()]);
  // The compiler takes a third of a second to load.
  const { findMemberUses } = await import('../../../merge/typescript/member-uses.ts');
  return [...paths].toSorted().flatMap((path): readonly InFile[] => {
    const change = planned.get(path);
    const isOpen = (change?.conflicts.length ?? 0) > 0;
    if (isOpen || !/(?<!\.d)\.[cm]?[jt]sx?$/.test(path)) return [];
    const found = disk(change?.from ?? path);
    const former = found?.kind === 'text' ? plain(found.text) : undefined;
    const text = texts.has(path) ? texts.get(path) : former;
    if (text === undefined || former === undefined || text === made.get(path)) return [];
    const recorded = project.record.files[change?.from ?? path];
    const base = recorded && baseOf({ path: change?.from ?? path, recorded });
    const known = [base ?? '', made.get(path) ?? ''];
    const isOwn = ownLine({ former: isWhole ? text : former, made: known });
    const lines = text.split('\n');
    const near = handedOn.filter((it) => isNear(it, text));
    const byWord = new Map(near.map((it) => [it.word, it]));
    const models = new Map(
      near.flatMap(({ kind, word, now }) => (kind === 'model' ? [[word, now ?? `${word}?`]] : [])),
    );
    const meantAnywhere = (word: string) => models.size > 0 && respell(word, models) !== word;
    const isMember = (word: string) => byWord.has(word);
    const uses = findMemberUses({ path, text }, isMember, meantAnywhere).flatMap(
      (use): readonly Found[] => {
        const above = text.slice(0, use.start).split('\n');
        const at = { line: above.length, column: (above.at(-1) ?? '').length + 1 };
        const meant = byWord.get(use.word) ?? near.find((it) => isIn(it, use.word));
        if (meant === undefined || !isOwn(lines[at.line - 1] ?? '')) return [];
        if (meant.kind === 'value' && !use.isText) return [];
        return [{ path, ...at, handedOn: meant, use }];
      },
    );
    return uses.length === 0 ? [] : [{ path, text, uses }];
  });
}

/** As the owner wrote it: in their file before, and in nothing that was made. */
function ownLine({ former, made }: { readonly former: string; readonly made: readonly string[] }) {
  const known = new Set(made.flatMap((text) => text.split('\n').map((line) => line.trim())));
  const theirs = new Set(former.split('\n').map((line) => line.trim()));
  return (line: string) => theirs.has(line.trim()) && !known.has(line.trim());
}

/** Where other models have such a name too, the file has to speak of the one that is meant. */
function isNear({ isShared, owner }: HandedOn, text: string): boolean {
  if (!isShared || owner === undefined) return true;
  return (text.match(/[\p{L}\p{N}_$]+/gu) ?? []).some((word) => owner.has(word));
}

function isIn({ kind, word }: HandedOn, compound: string): boolean {
  return kind === 'model' && respell(compound, new Map([[word, `${word}?`]])) !== compound;
}
