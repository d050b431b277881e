import { present } from '../present.ts';
import { rememberPer } from '../remember.ts';
import type { Comparison, Operand, Entry } from '../schema/entry.ts';
import { byOperation } from '../schema/language.ts';
import { spellOperand } from '../schema/spell-entry.ts';
import type { Among, App, EnumValue, Field, MemberKind, Model } from './app.ts';
import { findField, findMemberKind, getModel, findToOne, listEnumValues } from './lookups.ts';

/**
 * Writes the rules of a model with the names of a later app: of models, fields, relations, values of enums and roles.
 * Roles and values are sorted like the enums, as any other order means the same.
 */
export function renameInRules(model: Model, before: App, after: App): Model {
  const renaming = { before, names: namesById(after) };
  const member = (name: string) => renameProperty(name, model, renaming);
  const entry = (it: Entry) => renameEntry(it, model, renaming);
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
      return { ...it, name, among: renameAmong(it.among, model, renaming) };
    }),
    access: byOperation((name) => model.access[name].map(entry)),
    embed: model.embed.map(member),
    ...present({
      owner: model.owner && member(model.owner),
      assign: model.assign?.map((role) => renameRole(role, renaming)),
      members: model.members?.map((kind) => renameMembers(kind, renaming)),
      link: model.link && {
        ...model.link,
        ...present({ if: renameCondition(model.link.if, model, renaming) }),
      },
    }),
  };
}

/** Writes the conditions of unique constraints and indexes with the names of a later app. */
export function renameInConditions(model: Model, before: App, after: App): Model {
  const renaming = { before, names: namesById(after) };
  const keyed = <Keys extends { readonly where?: Condition }>(keys: Keys): Keys => ({
    ...keys,
    ...present({ where: renameCondition(keys.where, model, renaming) }),
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

function renameEntry(it: Entry, of: Model, renaming: NamesNow): Entry {
  const inOrder = (condition: Condition | undefined) =>
    renameCondition(condition, of, renaming)?.map((each) => ({
      ...each,
      values: each.values.toSorted((one, other) =>
        compareByOrder(spellOperand(one), spellOperand(other), renaming),
      ),
    }));
  const conditions = present({ if: inOrder(it.if), after: inOrder(it.after) });
  return { ...renameWho(it, of, renaming), ...conditions };
}

function renameWho(it: Entry, of: Model, renaming: NamesNow): Entry {
  switch (it.kind) {
    case 'role':
      return { ...it, role: renameRole(it.role, renaming) };
    case 'members':
      return renameRoles(it, of, renaming);
    case 'shares': {
      const shared = renaming.before.models.find((each) => each.name === it.model);
      return { ...it, model: nameById(it.model, shared, renaming) };
    }
    case 'is':
    case 'via':
      return { ...it, relation: renameProperty(it.relation, of, renaming) };
    default:
      return it;
  }
}

function renameCondition(
  comparisons: Condition | undefined,
  of: Model,
  renaming: NamesNow,
): Condition | undefined {
  return comparisons?.map(({ operator, path, values }) => {
    const last = modelsAlong(path, of, renaming.before).at(-1) ?? of;
    const known = listMemberValues(last, path.at(-1), renaming.before);
    const operands = values.map((it) => renameOperand(it, known, renaming));
    return { operator, path: renamePath(path, of, renaming), values: operands };
  });
}

function renameOperand(it: Operand, values: readonly EnumValue[], renaming: NamesNow): Operand {
  if (it.kind === 'literal') return { ...it, text: renameValue(it.text, values, renaming) };
  if (it.kind === 'now') return it;
  return { ...it, path: renamePath(it.path, getModel('User', renaming.before), renaming) };
}

function renameAmong({ path, members, ...it }: Among, of: Model, renaming: NamesNow): Among {
  const there = modelsAlong(path, of, renaming.before).at(-1) ?? of;
  const ofRoles = present({ members: members && renameRoles(members, there, renaming) });
  return { ...it, path: renamePath(path, of, renaming), ...ofRoles };
}

function renameMembers(kind: MemberKind, renaming: NamesNow): MemberKind {
  const by = getModel(kind.by, renaming.before);
  const values = listMemberValues(by, kind.role, renaming.before);
  const roles = kind.roles.map((role) => renameValue(role, values, renaming));
  const counted = present({ if: renameCondition(kind.if, by, renaming) });
  return { ...kind, by: nameById(kind.by, by, renaming), roles, ...counted };
}

function renameRoles<Who extends Pick<MemberKind, 'word' | 'roles'>>(
  who: Who,
  of: Model,
  renaming: NamesNow,
): Who {
  const { before } = renaming;
  const kind = findMemberKind(who.word, of);
  const values = kind && listMemberValues(getModel(kind.by, before), kind.role, before);
  const roles = who.roles.map((role) => renameValue(role, values, renaming));
  return { ...who, roles: roles.toSorted((one, other) => compareByOrder(one, other, renaming)) };
}

const renameRole = (name: string, renaming: NamesNow) =>
  renameValue(name, renaming.before.enums.find((it) => it.name === 'Role')?.values, renaming);

function renameProperty(name: string, { relations, fields }: Model, renaming: NamesNow): string {
  const former = [...relations, ...fields].find((it) => it.name === name);
  return nameById(name, former, renaming);
}

function renamePath(path: readonly string[], of: Model, renaming: NamesNow): readonly string[] {
  const models = modelsAlong(path, of, renaming.before);
  return path.map((name, index) => renameProperty(name, models[index] ?? of, renaming));
}

function renameValue(
  name: string,
  values: readonly EnumValue[] | undefined,
  renaming: NamesNow,
): string {
  const former = values?.find(({ value }) => value === name);
  return nameById(name, former, renaming);
}

function nameById(name: string, former: { readonly id: string } | undefined, { names }: NamesNow) {
  return names.get(former?.id ?? '') ?? name;
}

function compareByOrder(one: string, other: string, renaming: NamesNow): number {
  const names = [...renaming.names.values()];
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
