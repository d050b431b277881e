import { schemaName } from '../naming/name.ts';
import type { Comparison } from '../schema/entry.ts';
import { byOperation } from '../schema/language.ts';
import { present } from '../schema/present.ts';
import {
  type App,
  type Entry,
  type Field,
  findField,
  getModel,
  isUser,
  type Model,
  modelOf,
  toOneOf,
} from './app.ts';

/**
 * A model as its rules read once what they name is called as in a later app: models, fields, relations and the roles of
 * users. `withValuesNow` does the same for values of enums, and comes first: it looks names up where they were.
 */
export function withNamesNow(model: Model, before: App, after: App): Model {
  const names = new Map(after.models.flatMap(namesIn));
  const roles = new Map(roleNames(before, after));
  const memberNow = (of: Model, name: string): string => {
    const member = of.relations.find((it) => it.name === name) ?? findField(of, name);
    return names.get(member?.id ?? '') ?? name;
  };
  const pathNow = (path: readonly string[], of: Model | undefined): string[] => {
    const [name, ...others] = path;
    if (name === undefined || of === undefined) return [...path];
    const there = modelOf(toOneOf(of, name)?.target ?? '', before);
    return [memberNow(of, name), ...pathNow(others, there)];
  };
  const modelNow = (name: string): string => {
    const former = before.models.find((it) => schemaName(it) === name);
    return names.get(former?.id ?? '') ?? name;
  };

  const users = before.models.find(isUser);
  const conditionOf = (of: Model) => (condition: readonly Comparison[] | undefined) =>
    condition?.map(({ path, values, ...rest }): Comparison => ({
      ...rest,
      path: pathNow(path, of),
      values: values.map((it) =>
        it.kind === 'me' ? { ...it, path: pathNow(it.path, users) } : it,
      ),
    }));
  const condition = conditionOf(model);

  const whoNow = (it: Entry): Entry => {
    switch (it.kind) {
      case 'role':
        return { ...it, role: roles.get(it.role) ?? it.role };
      case 'shares':
        return { ...it, model: modelNow(it.model) };
      case 'is':
      case 'via':
        return { ...it, relation: memberNow(model, it.relation) };
      default:
        return it;
    }
  };
  const entry = (it: Entry): Entry => ({
    ...whoNow(it),
    ...present({ if: condition(it.if), after: condition(it.after) }),
  });
  const rules = ({ read, write }: Pick<Field, 'read' | 'write'>) =>
    present({ read: read?.map(entry), write: write?.map(entry) });
  const called = (name: string) => memberNow(model, name);

  return {
    ...model,
    fields: model.fields.map((field) => ({
      ...field,
      ...rules(field),
      name: called(field.name),
      ...present({ relation: field.relation && called(field.relation) }),
    })),
    relations: model.relations.map((relation) => {
      const name = called(relation.name);
      if (relation.kind === 'links') return { ...relation, ...rules(relation), name };
      if (relation.kind !== 'one' || relation.among === undefined) return { ...relation, name };
      return {
        ...relation,
        name,
        among: { ...relation.among, path: pathNow(relation.among.path, model) },
      };
    }),
    access: byOperation((name) => model.access[name].map(entry)),
    embed: model.embed.map(called),
    ...present({
      owner: model.owner && called(model.owner),
      assign: model.assign?.map((role) => roles.get(role) ?? role),
      members: model.members?.map((kind) => {
        const by = getModel(kind.by, before);
        return {
          ...kind,
          by: names.get(by.id) ?? kind.by,
          ...present({ if: conditionOf(by)(kind.if) }),
        };
      }),
      link: model.link && { ...model.link, ...present({ if: condition(model.link.if) }) },
    }),
  };
}

function namesIn(model: Model): readonly (readonly [string, string])[] {
  return [
    [model.id, schemaName(model)],
    ...[...model.fields, ...model.relations].map(({ id, name }) => [id, name] as const),
  ];
}

/** Of users, by what they were. */
function roleNames(before: App, after: App): readonly (readonly [string, string])[] {
  const [was = [], is = []] = [before, after].map(
    ({ enums }) => enums.find(({ name }) => name === 'Role')?.values,
  );
  return was.flatMap(({ id, value }) =>
    is.filter((it) => it.id === id).map((it) => [value, it.value] as const),
  );
}
