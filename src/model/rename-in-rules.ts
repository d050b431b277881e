import { present } from '../present.ts';
import { rememberPer } from '../remember.ts';
import type { Comparison, Operand, Entry } from '../schema/entry.ts';
import { byOperation } from '../schema/language.ts';
import { spellOperand } from '../schema/spell-entry.ts';
import {
  type Among,
  type App,
  type EnumValue,
  type Field,
  isRole,
  type MemberKind,
  type Model,
} from './app.ts';
import {
  findField,
  findMemberKind,
  findModel,
  getModel,
  findToOne,
  listEnumValues,
} from './lookups.ts';

/**
 * Writes the rules of a model with the names of a later app: of models, fields, relations, values of enums and roles.
 * Roles and values are sorted like the enums, as any other order means the same.
 */
export function renameInRules(model: Model, before: App, after: App): Model {
  const namesNow = { before, names: namesById(after) };
  const member = (name: string) => renameProperty(name, model, namesNow);
  const entry = (it: Entry) => renameEntry(it, model, namesNow);
  const rules = ({ read, write }: Pick<Field, 'read' | 'write'>) =>
    present({ read: read?.map(entry), write: write?.map(entry) });
  return {
    ...model,
    fields: model.fields.map((it) => ({
      ...it,
      ...rules(it),
      name: member(it.name),
      ...present({ relation: it.relation && member(it.relation) }),
    })),
    relations: model.relations.map((it) => {
      const name = member(it.name);
      if (it.kind === 'links') return { ...it, ...rules(it), name };
      if (it.kind !== 'one' || it.among === undefined) return { ...it, name };
      return { ...it, name, among: renameAmong(it.among, model, namesNow) };
    }),
    access: byOperation((name) => model.access[name].map(entry)),
    embed: model.embed.map(member),
    ...present({
      owner: model.owner && member(model.owner),
      members: model.members?.map((kind) => renameMembers(kind, namesNow)),
      link: model.link && {
        ...model.link,
        ...present({ if: renameCondition(model.link.if, model, namesNow) }),
      },
    }),
  };
}

/** Writes the conditions of unique constraints and indexes with the names of a later app. */
export function renameInConditions(model: Model, before: App, after: App): Model {
  const namesNow = { before, names: namesById(after) };
  const keyed = <Keys extends { readonly where?: Condition }>(keys: Keys): Keys => ({
    ...keys,
    ...present({ where: renameCondition(keys.where, model, namesNow) }),
  });
  return { ...model, unique: model.unique.map(keyed), indexes: model.indexes.map(keyed) };
}

type Condition = readonly Comparison[];

/** Values of enums come first, in their order. */
const namesById = rememberPer(({ models, enums }: App): ReadonlyMap<string, string> => {
  const members = models.flatMap(({ fields, relations }) => [...fields, ...relations]);
  const values = enums.flatMap((it) => it.values);
  return new Map([
    ...values.map(({ id, value }) => [id, value] as const),
    ...models.map((it) => [it.id, it.name] as const),
    ...members.map(({ id, name }) => [id, name] as const),
  ]);
});

/** The former app, and the names that its parts have now, by id. */
interface NamesNow {
  readonly before: App;
  readonly names: ReadonlyMap<string, string>;
}

function renameEntry(it: Entry, of: Model, namesNow: NamesNow): Entry {
  const inOrder = (condition: Condition | undefined) =>
    renameCondition(condition, of, namesNow)?.map((each) => ({
      ...each,
      values: each.values.toSorted((one, other) =>
        compareByOrder(spellOperand(one), spellOperand(other), namesNow),
      ),
    }));
  const conditions = present({ if: inOrder(it.if), after: inOrder(it.after) });
  return { ...renameWho(it, of, namesNow), ...conditions };
}

function renameWho(it: Entry, of: Model, namesNow: NamesNow): Entry {
  switch (it.kind) {
    case 'role':
      return { ...it, role: renameRole(it.role, namesNow) };
    case 'members':
      return renameRoles(it, of, namesNow);
    case 'shares': {
      const shared = findModel(it.model, namesNow.before);
      return { ...it, model: nameById(it.model, shared, namesNow) };
    }
    case 'is':
    case 'via':
      return { ...it, relation: renameProperty(it.relation, of, namesNow) };
    default:
      return it;
  }
}

function renameCondition(
  comparisons: Condition | undefined,
  of: Model,
  namesNow: NamesNow,
): Condition | undefined {
  return comparisons?.map(({ operator, path, values }) => {
    const last = modelsAlong(path, of, namesNow.before).at(-1) ?? of;
    const known = listMemberValues(last, path.at(-1), namesNow.before);
    const operands = values.map((it) => renameOperand(it, known, namesNow));
    return { operator, path: renamePath(path, of, namesNow), values: operands };
  });
}

function renameOperand(it: Operand, values: readonly EnumValue[], namesNow: NamesNow): Operand {
  if (it.kind === 'literal') return { ...it, text: renameValue(it.text, values, namesNow) };
  if (it.kind === 'now') return it;
  return { ...it, path: renamePath(it.path, getModel('User', namesNow.before), namesNow) };
}

function renameAmong({ path, members, ...it }: Among, of: Model, namesNow: NamesNow): Among {
  const there = modelsAlong(path, of, namesNow.before).at(-1) ?? of;
  const ofRoles = present({ members: members && renameRoles(members, there, namesNow) });
  return { ...it, path: renamePath(path, of, namesNow), ...ofRoles };
}

function renameMembers(kind: MemberKind, namesNow: NamesNow): MemberKind {
  const by = getModel(kind.by, namesNow.before);
  const values = listMemberValues(by, kind.role, namesNow.before);
  const roles = kind.roles.map((role) => renameValue(role, values, namesNow));
  const counted = present({ if: renameCondition(kind.if, by, namesNow) });
  return { ...kind, by: nameById(kind.by, by, namesNow), roles, ...counted };
}

function renameRoles<Who extends Pick<MemberKind, 'word' | 'roles'>>(
  who: Who,
  of: Model,
  namesNow: NamesNow,
): Who {
  const { before } = namesNow;
  const kind = findMemberKind(who.word, of);
  const values = kind && listMemberValues(getModel(kind.by, before), kind.role, before);
  const roles = who.roles.map((role) => renameValue(role, values, namesNow));
  return { ...who, roles: roles.toSorted((one, other) => compareByOrder(one, other, namesNow)) };
}

const renameRole = (name: string, namesNow: NamesNow) =>
  renameValue(name, namesNow.before.enums.find(isRole)?.values, namesNow);

function renameProperty(name: string, { relations, fields }: Model, namesNow: NamesNow): string {
  const former = [...relations, ...fields].find((it) => it.name === name);
  return nameById(name, former, namesNow);
}

function renamePath(path: readonly string[], of: Model, namesNow: NamesNow): readonly string[] {
  const models = modelsAlong(path, of, namesNow.before);
  return path.map((name, index) => renameProperty(name, models[index] ?? of, namesNow));
}

function renameValue(
  name: string,
  values: readonly EnumValue[] | undefined,
  namesNow: NamesNow,
): string {
  const former = values?.find(({ value }) => value === name);
  return nameById(name, former, namesNow);
}

function nameById(name: string, former: { readonly id: string } | undefined, { names }: NamesNow) {
  return names.get(former?.id ?? '') ?? name;
}

function compareByOrder(one: string, other: string, namesNow: NamesNow): number {
  const names = [...namesNow.names.values()];
  return names.indexOf(one) - names.indexOf(other) || (one < other ? -1 : 1);
}

function listMemberValues(model: Model, name: string | undefined, app: App): readonly EnumValue[] {
  const field = findField(model, name);
  return field ? listEnumValues(field, app) : [];
}

/** The model, and the models along a path of relations. */
function modelsAlong([name, ...others]: readonly string[], of: Model, app: App): readonly Model[] {
  const target = findToOne(of, name)?.target;
  return [of, ...(target ? modelsAlong(others, getModel(target, app), app) : [])];
}
