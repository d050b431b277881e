import { mergeText } from '../../../merge/text.ts';
import type { MemberUse } from '../../../merge/typescript/find-uses.ts';
import type { App, Field, Model, OrderKey, Relation } from '../../../model/app.ts';
import { readText } from '../../../project/disk.ts';
import { formerBases } from '../../../project/plan/former-files.ts';
import { respell, wordsOf } from '../../../project/plan/spellings.ts';
import type { Project } from '../../../project/read-project.ts';
import type { Regeneration } from '../../../project/regeneration.ts';
import type { Texts } from '../../../system/mirror.ts';
import { findHandedOn, type HandedOn } from './handed-on.ts';
import { ownCode, placeAt, plannedTexts, readWith } from './places.ts';

/** A use, in a line of the owner's that the run leaves as it is, of a name that means another thing now. */
export interface OwnUse {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly handedOn: HandedOn;
  readonly use: MemberUse;
}

/** The files in which each such use has the new name, where it is plain which thing is meant. */
export async function exchangeOwnUses(
  project: Project,
  regeneration: Regeneration,
  texts: Texts,
): Promise<Texts> {
  return exchange(await findOwnUses(project, regeneration, texts), isClear);
}

async function exchange(
  found: readonly InFile[],
  isMeant: (use: OwnUse) => boolean,
): Promise<Texts> {
  if (found.length === 0) return new Map();
  const { applyEdits } = await import('../../../merge/typescript/rename-edits.ts');
  return new Map(
    found.flatMap(({ path, text, uses }) => {
      const edits = uses.filter(isMeant).map(({ use, handedOn: { now = '' } }) => use.rename(now));
      return edits.length === 0 ? [] : [[path, applyEdits(text, edits)] as const];
    }),
  );
}

/** It names a member that no other model has by that name. */
const isClear = ({ handedOn: { kind, now, isShared } }: OwnUse) =>
  kind === 'member' && now !== undefined && !isShared;

const isClearText = (it: OwnUse) => it.use.isText && isClear(it);

interface InFile {
  readonly path: string;
  readonly text: string;
  readonly uses: readonly OwnUse[];
}

/** No compiler sees them: every name is still there. */
export async function findOwnUses(
  project: Project,
  regeneration: Regeneration,
  texts: Texts,
  isWhole = false,
): Promise<readonly InFile[]> {
  const handedOn = findHandedOn(project.app, regeneration.app);
  if (handedOn.length === 0) return [];
  const baseOf = formerBases(project);
  const cameFrom = new Map(regeneration.plan.changes.map(({ path, from }) => [path, from]));
  // The compiler takes a third of a second to load.
  const { findMemberUses } = await import('../../../merge/typescript/find-uses.ts');
  return ownCode(project, regeneration, texts).flatMap(
    ({ path, text, made }): readonly InFile[] => {
      const origin = cameFrom.get(path) ?? path;
      const former = readText(project.disk, origin);
      if (former === undefined) return [];
      const recorded = project.record.files[origin];
      const base = recorded && baseOf({ path: origin, recorded });
      const isOwn = ownLine(isWhole ? text : former, [base ?? '', made]);
      const lines = text.split('\n');
      const near = handedOn.filter((it) => isNear(it, text));
      const byWord = new Map(near.map((it) => [it.word, it]));
      const partOf = (compound: string) => near.find((it) => isIn(it, compound));
      const found = findMemberUses(
        { path, text },
        (word) => byWord.has(word),
        (word) => partOf(word) !== undefined,
      );
      const uses = found.flatMap((use): readonly OwnUse[] => {
        const at = placeAt(text, use.start);
        const meant = byWord.get(use.word) ?? partOf(use.word);
        if (meant === undefined || !isOwn(lines[at.line - 1] ?? '')) return [];
        if (meant.kind === 'value' && !use.isText) return [];
        return [{ path, ...at, handedOn: meant, use }];
      });
      return uses.length === 0 ? [] : [{ path, text, uses }];
    },
  );
}

/** As the owner wrote it: in their file before, and in nothing that was made. */
function ownLine(former: string, made: readonly string[]) {
  const known = new Set(made.flatMap(linesOf));
  const theirs = new Set(linesOf(former));
  return (line: string) => theirs.has(line.trim()) && !known.has(line.trim());
}

const linesOf = (text: string) => text.split('\n').map((line) => line.trim());

/** Where other models have such a name too, the file has to speak of the one that is meant. */
function isNear({ isShared, owner }: HandedOn, text: string): boolean {
  if (!isShared || owner === undefined) return true;
  return wordsOf(text).some((word) => owner.has(word));
}

function isIn({ kind, word }: HandedOn, compound: string): boolean {
  return kind === 'model' && respell(compound, new Map([[word, `${word}?`]])) !== compound;
}

/**
 * Where names swap, all code still compiles. So the run is looked at with third names in their place: what the compiler
 * complains of then is a use, and gets the third name; then each third name becomes the one that it stands for. Texts that
 * plainly name a member are exchanged as well; `left`: uses that no compiler sees, or that it takes for anything.
 */
export async function exchangeByThirdNames(
  project: Project,
  regeneration: Regeneration,
  replan: (change: (after: App, before: App) => App) => Promise<Regeneration>,
  fix: (of: Regeneration, texts: Texts) => Promise<Texts>,
): Promise<{ readonly texts: Texts; readonly left: readonly OwnUse[] } | undefined> {
  if (findHandedOn(project.app, regeneration.app).length === 0) return undefined;
  const renamed = await replan((after, before) => withThirdNames(before, after));
  const planned = plannedTexts(renamed.plan);
  const fixed = await fix(renamed, planned);
  const found = await findOwnUses(project, { ...renamed, app: regeneration.app }, fixed, true);
  const all: Texts = new Map([...fixed, ...(await exchange(found, isClearText))]);
  const was = readWith(project.disk, planned);
  const final = readWith(project.disk, plannedTexts(regeneration.plan));
  const texts = [...all].flatMap(([path, after]): (readonly [string, string])[] => {
    const before = was(path);
    if (after === undefined || before === undefined || after === before) return [];
    const place = withoutThirdNames(path);
    const is = final(place);
    if (is === undefined || withoutThirdNames(is) !== is) return [];
    const stretches = mergeText({
      base: withoutThirdNames(before),
      mine: is,
      theirs: withoutThirdNames(after),
    });
    const parts = stretches.filter((it) => typeof it === 'string');
    return parts.length === stretches.length ? [[place, parts.join('')]] : [];
  });
  const left = found.flatMap(({ uses }) => uses.filter((it) => !isClearText(it)));
  return {
    texts: new Map(texts),
    left: left.map((it) => ({ ...it, path: withoutThirdNames(it.path) })),
  };
}

/**
 * The app with a name that is nobody's for each thing whose name meant another one before: where names swap, code that
 * says the old ones fits no longer, and a compiler sees which is meant.
 */
function withThirdNames(before: App, after: App): App {
  const targets = new Set(findHandedOn(before, after).map((it) => `${it.kind} ${it.target}`));
  const respelled: Respell = (kind, name, owner) => {
    const target = owner === undefined ? name : `${owner}.${name}`;
    return targets.has(`${kind} ${target}`) ? third(name) : name;
  };
  const model = (name: string) => respelled('model', name);
  return {
    ...after,
    enums: after.enums.map((it) => ({
      ...it,
      values: it.values.map((of) =>
        withNames(of, { value: (value) => respelled('value', value, it.name) }),
      ),
    })),
    models: after.models.map((it) => renameModel(it, respelled)),
    joinTables: after.joinTables.map((it) => ({
      ...it,
      left: withNames(it.left, { model }),
      right: withNames(it.right, { model }),
    })),
  };
}

/** What a thing is called for once; `owner`: the type name of its model, or the name of its enum. */
type Respell = (kind: HandedOn['kind'], name: string, owner?: string) => string;

/** As long as the name, so that lines break where they did: its first letter is one of another script. */
function third(name: string): string {
  return name.replace(/[a-z]/i, (letter) => armenian[latin.indexOf(letter)] ?? letter);
}

function withoutThirdNames(text: string): string {
  return text.replace(/[\u0531-\u0587]/g, (letter) => latin[armenian.indexOf(letter)] ?? letter);
}

const latin = alphabet('A', 'a');
/** As many letters, small and large, and no name of a schema has one. */
const armenian = alphabet('\u0531', '\u0561');

function alphabet(...firsts: readonly string[]): readonly string[] {
  return firsts.flatMap((first) =>
    Array.from({ length: 26 }, (_, at) => String.fromCharCode(first.charCodeAt(0) + at)),
  );
}

/** The same thing with other names under some of its keys. */
function withNames<Thing extends object>(
  thing: Thing,
  renames: { readonly [key: string]: (name: string) => string },
): Thing {
  const entries = Object.entries(thing).map(([key, value]) => [
    key,
    typeof value === 'string' ? (renames[key]?.(value) ?? value) : value,
  ]);
  return { ...thing, ...Object.fromEntries(entries) };
}

function renameModel(model: Model, respelled: Respell): Model {
  const { type } = model.names;
  const member = (name: string) => respelled('member', name, type);
  const isThird = respelled('model', type) !== type;
  const own = (name: string) => (isThird ? third(name) : name);
  const ordered = (keys: readonly OrderKey[]) => keys.map((it) => withNames(it, { field: member }));
  return {
    ...withNames(model, { table: own, path: own, owner: member }),
    names: withNames(
      model.names,
      Object.fromEntries(Object.keys(model.names).map((key) => [key, own])),
    ),
    fields: model.fields.map((it) => renameField(it, member, respelled)),
    relations: model.relations.map((it) => renameRelation(it, member, respelled)),
    unique: model.unique.map((it) => ({ ...it, fields: it.fields.map(member) })),
    indexes: model.indexes.map((it) => ({ ...it, keys: ordered(it.keys) })),
    orderBy: ordered(model.orderBy),
    embed: model.embed.map(member),
  };
}

function renameField(field: Field, member: (name: string) => string, respelled: Respell): Field {
  const { type } = field;
  const named = withNames(field, { name: member, column: member, relation: member });
  if (type.kind !== 'enum') return named;
  const value = (name: string) => respelled('value', name, type.enum);
  const initial = field.default && { default: withNames(field.default, { value }) };
  return { ...withNames(named, { example: value }), ...initial };
}

function renameRelation(
  relation: Relation,
  member: (name: string) => string,
  respelled: Respell,
): Relation {
  const other = (name: string) => respelled('member', name, relation.target);
  const model = (name: string) => respelled('model', name);
  const ofOther = { of: other, inverse: other, target: model, through: model };
  return withNames(relation, { name: member, key: member, ...ofOther });
}
