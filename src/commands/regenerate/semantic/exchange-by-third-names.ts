import type { App, Enum, Field, FieldType, Model, Relation } from '../../../model/app.ts';
import { mergeText } from '../../../merge/text.ts';
import type { Disk } from '../../../project/disk.ts';
import type { Project } from '../../../project/read-project.ts';
import type { Regeneration } from '../../../project/regeneration.ts';
import type { Texts } from '../../../system/mirror.ts';
import { findHandedOn } from './handed-on.ts';
import { exchangeTexts, type OwnUse } from './own-uses.ts';
import { plannedTexts } from './places.ts';

interface Run {
  readonly project: Project;
  readonly regeneration: Regeneration;
  readonly disk: Disk;
}

interface Exchanged {
  /** Files of the owner's in which each use that a compiler sees has its new name. */
  readonly texts: Texts;
  /** Uses that no compiler sees, or that it takes for anything. */
  readonly left: readonly OwnUse[];
}

/**
 * Where names swap, all code still compiles. So the run is looked at with third names in their place: what the compiler
 * complains of then is a use, and gets the third name; then each third name becomes the one that it stands for.
 */
export async function exchangeByThirdNames(
  { project, regeneration, disk }: Run,
  replan: (change: (after: App, before: App) => App) => Promise<Regeneration>,
  fix: (of: Regeneration, texts: Texts) => Promise<Texts>,
): Promise<Exchanged | undefined> {
  if (findHandedOn(project.app, regeneration.app).length === 0) return undefined;
  const renamed = await replan((after, before) => withThirdNames(before, after));
  const read = (texts: Texts, path: string): string | undefined => {
    const found = texts.has(path) ? undefined : disk(path);
    return texts.get(path) ?? (found?.kind === 'text' ? found.text : undefined);
  };
  const planned = plannedTexts(renamed.plan);
  const fixed = await fix(renamed, planned);
  const seen = { ...renamed, app: regeneration.app };
  const { texts: exchanged, left } = await exchangeTexts(project, seen, fixed);
  const all: Texts = new Map([...fixed, ...exchanged]);
  const final = plannedTexts(regeneration.plan);
  const texts = [...all].flatMap(([path, after]): (readonly [string, string])[] => {
    const before = read(planned, path);
    if (after === undefined || before === undefined || after === before) return [];
    const place = withoutThirdNames(path);
    const is = read(final, place);
    if (is === undefined || hasThirdLetters(is)) return [];
    const stretches = mergeText({
      base: withoutThirdNames(before),
      mine: is,
      theirs: withoutThirdNames(after),
    });
    const parts = stretches.filter((it) => typeof it === 'string');
    return parts.length === stretches.length ? [[place, parts.join('')]] : [];
  });
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
  const handedOn = findHandedOn(before, after);
  const targets = (kind: 'member' | 'value' | 'model') =>
    new Set(handedOn.filter((it) => it.kind === kind).map(({ target }) => target));
  const [members, values, models] = [targets('member'), targets('value'), targets('model')];
  const typeOf = (type: string) => (models.has(type) ? third(type) : type);
  const memberOf = (type: string) => (name: string) =>
    members.has(`${type}.${name}`) ? third(name) : name;
  const valueOf = (name: string, value: string) =>
    values.has(`${name}.${value}`) ? third(value) : value;
  const names = { typeOf, memberOf, valueOf };
  return {
    ...after,
    enums: after.enums.map((it) => renameEnum(it, names)),
    models: after.models.map((it) => renameModel(it, names)),
    joinTables: after.joinTables.map((it) => ({
      ...it,
      left: { ...it.left, model: typeOf(it.left.model) },
      right: { ...it.right, model: typeOf(it.right.model) },
    })),
  };
}

/** As long as the name, so that lines break where they did: its first letter is one of another script. */
function third(name: string): string {
  return name.replace(/[a-z]/i, (letter) => {
    const isSmall = letter >= 'a';
    const place = letter.charCodeAt(0) - (isSmall ? 'a' : 'A').charCodeAt(0);
    return String.fromCharCode((isSmall ? smallest : largest) + place);
  });
}

/** Armenian: as many letters, small and large; no name of a schema has one. */
const [largest, smallest] = [0x531, 0x561];

const thirdLetters = /[\u0531-\u054A\u0561-\u057A]/g;

function hasThirdLetters(text: string): boolean {
  return text.search(thirdLetters) >= 0;
}

function withoutThirdNames(text: string): string {
  return text.replace(thirdLetters, (letter) => {
    const code = letter.charCodeAt(0);
    const isSmall = code >= smallest;
    const first = (isSmall ? 'a' : 'A').charCodeAt(0);
    return String.fromCharCode(first + code - (isSmall ? smallest : largest));
  });
}

interface Names {
  readonly typeOf: (type: string) => string;
  readonly memberOf: (type: string) => (name: string) => string;
  readonly valueOf: (name: string, value: string) => string;
}

function renameEnum(it: Enum, { valueOf }: Names): Enum {
  return {
    ...it,
    values: it.values.map((value) => ({ ...value, value: valueOf(it.name, value.value) })),
  };
}

function renameModel(model: Model, names: Names): Model {
  const { type } = model.names;
  const member = names.memberOf(type);
  const isThird = names.typeOf(type) !== type;
  const own = (name: string) => (isThird ? third(name) : name);
  return {
    ...model,
    names: {
      type: own(type),
      typePlural: own(model.names.typePlural),
      variable: own(model.names.variable),
      variablePlural: own(model.names.variablePlural),
      folder: own(model.names.folder),
      human: own(model.names.human),
      humanPlural: own(model.names.humanPlural),
      snake: own(model.names.snake),
      snakePlural: own(model.names.snakePlural),
    },
    table: own(model.table),
    path: own(model.path),
    ...(model.owner !== undefined && { owner: member(model.owner) }),
    fields: model.fields.map((it) => renameField(it, { member, ...names })),
    relations: model.relations.map((it) => renameRelation(it, { member, ...names })),
    unique: model.unique.map((it) => ({ ...it, fields: it.fields.map(member) })),
    indexes: model.indexes.map((it) => ({
      ...it,
      keys: it.keys.map((key) => ({ ...key, field: member(key.field) })),
    })),
    orderBy: model.orderBy.map((key) => ({ ...key, field: member(key.field) })),
    embed: model.embed.map(member),
  };
}

interface OfModel extends Names {
  readonly member: (name: string) => string;
}

function renameField(field: Field, { member, valueOf }: OfModel): Field {
  const { relation, type, default: given } = field;
  return {
    ...field,
    name: member(field.name),
    column: member(field.column),
    ...(relation !== undefined && { relation: member(relation) }),
    ...(given?.kind === 'literal' && { default: { ...given, value: valueIn(type, given.value) } }),
    ...(field.example !== undefined && { example: valueIn(type, field.example) }),
  };

  function valueIn<Value>(of: FieldType, value: Value): Value | string {
    return of.kind === 'enum' && typeof value === 'string' ? valueOf(of.enum, value) : value;
  }
}

function renameRelation(relation: Relation, { member, memberOf, typeOf }: OfModel): Relation {
  const other = memberOf(relation.target);
  const own = { name: member(relation.name), target: typeOf(relation.target) };
  if (relation.kind === 'inverse') return { ...relation, ...own, of: other(relation.of) };
  const { inverse } = relation;
  const named = { ...own, ...(inverse !== undefined && { inverse: other(inverse) }) };
  if (relation.kind === 'one') return { ...relation, ...named, key: member(relation.key) };
  const { through } = relation;
  return { ...relation, ...named, ...(through !== undefined && { through: typeOf(through) }) };
}
