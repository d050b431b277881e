import { pairById } from '../../../evolve/pairs.ts';
import {
  type App,
  type Field,
  isIdList,
  type Model,
  type OrderKey,
  type Relation,
} from '../../../model/app.ts';

/** A name that means another thing now: code that says it still compiles, and does something else. */
export interface HandedOn {
  readonly word: string;
  /** What the thing that it meant is called now; absent: it is gone. */
  readonly now?: string;
  /** `Prescription.drug`, for people. */
  readonly target: string;
  readonly kind: 'member' | 'value' | 'model';
  /** Names of the model whose member it is. */
  readonly owner?: ReadonlySet<string>;
  /** Whether a member of another model has this name and keeps it. */
  readonly isShared: boolean;
}

export function findHandedOn(before: App, after: App): readonly HandedOn[] {
  const models = pairById(before.models, after.models).kept;
  const enums = pairById(before.enums, after.enums).kept;
  const members = models.flatMap((pair) => {
    const owner = new Set([
      ...Object.values(pair.before.names),
      ...Object.values(pair.after.names),
    ]);
    const isShared = (word: string) =>
      after.models.some(
        (other) =>
          other.id !== pair.after.id && membersOf(other).some(({ words }) => words.includes(word)),
      );
    return meaningsOf(membersOf(pair.before), membersOf(pair.after)).map((it) => ({
      ...it,
      target: `${pair.after.names.type}.${it.word}`,
      kind: 'member' as const,
      owner,
      isShared: isShared(it.word),
    }));
  });
  const values = enums.flatMap((pair) =>
    meaningsOf(valuesOf(pair.before), valuesOf(pair.after)).map((it) => ({
      ...it,
      target: `${pair.after.name}.${it.word}`,
      kind: 'value' as const,
      isShared: true,
    })),
  );
  const names = meaningsOf(before.models.map(namesOf), after.models.map(namesOf)).map((it) => ({
    ...it,
    target: it.word,
    kind: 'model' as const,
    isShared: false,
  }));
  return [...members, ...values, ...names];
}

/** Something of the schema, and what it is called: before and after, in one order. */
export interface Named {
  readonly id: string;
  readonly words: readonly string[];
}

export function membersOf({ fields, relations }: Model): readonly Named[] {
  return [
    ...fields.map(({ id, name, column }) => ({ id, words: [name, column] })),
    ...relations.map((it) => ({
      id: it.id,
      words: isIdList(it) ? [it.name, it.idsField] : [it.name],
    })),
  ];
}

function valuesOf({ values }: App['enums'][number]): readonly Named[] {
  return values.map(({ id, value }) => ({ id, words: [value] }));
}

function namesOf({ id, names, table }: Model): Named {
  const { type, typePlural, variable, variablePlural } = names;
  return { id, words: [type, typePlural, variable, variablePlural, table] };
}

/** Words that are there before and after, and mean different things. */
function meaningsOf(
  before: readonly Named[],
  after: readonly Named[],
): readonly { readonly word: string; readonly now?: string }[] {
  const present = new Map(after.map((it) => [it.id, it.words]));
  const owners = new Map(after.flatMap(({ id, words }) => words.map((word) => [word, id])));
  const found = before.flatMap(({ id, words }) =>
    words.flatMap((word, at) => {
      const owner = owners.get(word);
      const now = present.get(id)?.[at];
      if (owner === undefined || owner === id || now === word) return [];
      return [[word, { word, ...(now !== undefined && { now }) }] as const];
    }),
  );
  return [...new Map(found).values()];
}

/**
 * The app with a name that is nobody's for each thing whose name meant another one before: where names swap, code that
 * says the old ones fits no longer, and a compiler sees which is meant.
 */
export function withThirdNames(before: App, after: App): App {
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

export function withoutThirdNames(text: string): string {
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
