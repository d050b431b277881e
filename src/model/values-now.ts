import type { Comparison } from '../schema/entry.ts';
import { byOperation } from '../schema/language.ts';
import { present } from '../schema/present.ts';
import {
  type App,
  type Entry,
  type Field,
  findField,
  follow,
  getModel,
  type Members,
  type Model,
  type Relation,
  valuesOf,
} from './app.ts';

/**
 * A model as its rules and conditions read once values of enums have the names that they have in a later app. Entries list
 * roles and values as its enums do: any other order means the same.
 */
export function withValuesNow(model: Model, before: App, after: App): Model {
  const names = new Map(
    after.enums.flatMap(({ values }) => values.map(({ id, value }) => [id, value] as const)),
  );
  const called = (value: string, field: Field | undefined): string => {
    const former = field && valuesOf(field, before).find((it) => it.value === value);
    return names.get(former?.id ?? '') ?? value;
  };

  const places = [...names.values()];
  const byPlace = (one: string, other: string) =>
    places.indexOf(one) - places.indexOf(other) || (one < other ? -1 : 1);
  const inOrder = (condition: readonly Comparison[] | undefined) =>
    condition?.map(({ values, ...rest }): Comparison => ({
      ...rest,
      values: values.toSorted((one, other) => byPlace(textOf(one), textOf(other))),
    }));

  const conditionOf = (of: Model) => (condition: readonly Comparison[] | undefined) =>
    condition?.map(({ path, values, ...rest }): Comparison => ({
      ...rest,
      path,
      values: values.map((it) =>
        it.kind === 'literal' ? { ...it, text: called(it.text, fieldAt(path, of, before)) } : it,
      ),
    }));
  const condition = conditionOf(model);

  const rolesOf = (of: Model, word: string, roles: readonly string[]) => {
    const kind = of.members?.find((it) => it.word === word);
    const field = kind && findField(getModel(kind.by, before), kind.role);
    return roles.map((role) => called(role, field));
  };
  const entry = (it: Entry): Entry => ({
    ...it,
    ...(it.kind === 'members'
      ? { roles: rolesOf(model, it.word, it.roles).toSorted(byPlace) }
      : {}),
    ...present({ if: inOrder(condition(it.if)), after: inOrder(condition(it.after)) }),
  });
  const rules = ({ read, write }: Pick<Field, 'read' | 'write'>) =>
    present({ read: read?.map(entry), write: write?.map(entry) });

  const membersNow = (kind: Members): Members => {
    const by = getModel(kind.by, before);
    const first =
      kind.first &&
      Object.fromEntries(
        Object.entries(kind.first).map(([name, value]) => [
          name,
          typeof value === 'string' ? called(value, findField(by, name)) : value,
        ]),
      );
    const roles = rolesOf(model, kind.word, kind.roles);
    return { ...kind, roles, ...present({ if: conditionOf(by)(kind.if), first }) };
  };
  const relationNow = (relation: Relation): Relation => {
    if (relation.kind === 'links') return { ...relation, ...rules(relation) };
    if (relation.kind !== 'one' || relation.among?.members === undefined) return relation;
    const { path, members } = relation.among;
    const there = path.reduce((of, name) => follow(of, name, before).there, model);
    const roles = rolesOf(there, members.word, members.roles).toSorted(byPlace);
    return { ...relation, among: { ...relation.among, members: { ...members, roles } } };
  };
  const withWhere = <Keys extends { readonly where?: readonly Comparison[] }>(
    keys: Keys,
  ): Keys => ({
    ...keys,
    ...present({ where: condition(keys.where) }),
  });

  return {
    ...model,
    fields: model.fields.map((field) => ({ ...field, ...rules(field) })),
    relations: model.relations.map(relationNow),
    unique: model.unique.map(withWhere),
    indexes: model.indexes.map(withWhere),
    access: byOperation((name) => model.access[name].map(entry)),
    ...present({
      members: model.members?.map(membersNow),
      link: model.link && { ...model.link, ...present({ if: condition(model.link.if) }) },
    }),
  };
}

const textOf = (value: Comparison['values'][number]) =>
  value.kind === 'literal' ? value.text : JSON.stringify(value);

function fieldAt(
  [name = '', ...others]: readonly string[],
  model: Model,
  app: App,
): Field | undefined {
  if (others.length === 0) return findField(model, name);
  return fieldAt(others, follow(model, name, app).there, app);
}
