import { InternalError } from '../errors.ts';
import {
  type App,
  type Enum,
  type EnumValue,
  type Field,
  isRole,
  type MemberKind,
  type Model,
  type Models,
  type Relation,
  type ToOneRelation,
} from './app.ts';

export const findModel = (name: string, { models }: Models): Model | undefined =>
  models.find((model) => model.name === name);

type AgreeingRelation = ToOneRelation & Required<Pick<ToOneRelation, 'among'>>;

/** Relations with `among`: their keys have to agree with other keys of the row. */
export const listAgreeingRelations = ({
  relations,
}: Pick<Model, 'relations'>): readonly AgreeingRelation[] =>
  relations.filter((it): it is AgreeingRelation => it.kind === 'one' && it.among !== undefined);

export const listMemberKinds = ({ models }: Models): readonly MemberKind[] =>
  models.flatMap(({ members = [] }) => members);

/** The kind of members that rules name with a word. */
export const findMemberKind = (word: string | undefined, { members }: Pick<Model, 'members'>) =>
  members?.find((kind) => kind.word === word);

/** Whether members can give and take only roles up to their own, since the field of the role has no rule. */
export const isRanked = ({ by, role }: MemberKind, app: Models) =>
  role !== undefined && getField(getModel(by, app), role).write === undefined;

/** For a role that at most one field of a model has. */
export const findFieldByRole = ({ fields }: Pick<Model, 'fields'>, role: Field['role']) =>
  fields.find((field) => field.role === role);

export const isSoftlyDeleted = (model: Pick<Model, 'fields'>) =>
  findFieldByRole(model, 'deleted_at') !== undefined;

export function getId(model: Model): Field {
  const id = findFieldByRole(model, 'id');
  if (id === undefined) throw new InternalError(`${model.name} has no id.`);
  return id;
}

export const idColumn = (model: Pick<Model, 'fields'>) =>
  findFieldByRole(model, 'id')?.column ?? 'id';

/** The relation whose key the model has. */
export function findToOne(model: Model, name: string | undefined): ToOneRelation | undefined {
  return model.relations.find((it): it is ToOneRelation => it.kind === 'one' && it.name === name);
}

/** The relation whose key is a field. */
export function findRelationByKey(model: Model, key: string): ToOneRelation | undefined {
  return model.relations.find((it): it is ToOneRelation => it.kind === 'one' && it.key === key);
}

/** Throws if there is no such model, which the rules of the schema exclude. */
export function getModel(name: string, app: Models): Model {
  const model = findModel(name, app);
  if (model === undefined) throw new InternalError(`There is no model ${name}.`);
  return model;
}

export const findField = ({ fields }: Pick<Model, 'fields'>, name: string | undefined) =>
  fields.find((field) => field.name === name);

/** A field by its name, or the key of a relation by the name of the relation. */
export function getField(model: Model, name: string): Field {
  const field = findField(model, findToOne(model, name)?.key ?? name);
  if (field === undefined) throw new InternalError(`${model.name} has no field ${name}.`);
  return field;
}

/** The models that a path of to-one relations leads through, each with the key that leads on. */
export function getPath(
  path: readonly string[],
  model: Model,
  app: Models,
): readonly ReturnType<typeof getTarget>[] {
  const [name, ...others] = path;
  if (name === undefined) return [];
  const step = getTarget(model, name, app);
  return [step, ...getPath(others, step.target, app)];
}

/** A to-one relation of a model, with its target and the field that is its key. */
export function getTarget(model: Model, name: string, app: Models) {
  const relation = findToOne(model, name);
  if (!relation) throw new InternalError(`${model.name} has no relation ${name}.`);
  const target = getModel(relation.target, app);
  return { model, relation, target, key: getField(model, name) };
}

/** Whether the relation leads to many rows. */
export const isToMany = (relation: Relation, app: Models) =>
  relation.kind === 'links' ||
  (relation.kind === 'inverse' && !getField(getModel(relation.target, app), relation.of).unique);

/** `user`, `admin` and the declared roles, in the order of the file; empty without accounts. */
export const listRoles = ({ enums }: Pick<App, 'enums'>): readonly string[] =>
  enums.find(isRole)?.values.map(({ value }) => value) ?? [];

export function findEnum({ type }: Pick<Field, 'type'>, { enums }: App): Enum | undefined {
  return enums.find(({ name }) => type.kind === 'enum' && type.enum === name);
}

export const listEnumValues = (field: Pick<Field, 'type'>, app: App): readonly EnumValue[] =>
  findEnum(field, app)?.values ?? [];
