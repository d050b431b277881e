import type { ModelNames } from '../naming/name.ts';
import { fieldTypes, findFieldType } from '../types/all.ts';
import type { TypeDefinition } from '../types/field-type.ts';
import type { Comparison } from './entry.ts';
import type { FieldSchema } from './keys/field.ts';
import type { ModelSchema } from './keys/model.ts';
import type { MembersSchema } from './keys/people.ts';
import type { RelationSchema } from './keys/relation.ts';
import type { Schema } from './keys/top.ts';
import type { Located, Naming } from './language.ts';
import type { Property, Time } from './property-facts.ts';
import type { Flaw, ReportProblem } from './scope.ts';

/** A rule of the schema language. It reports everything that breaks it. */
export type SchemaRule = (facts: Facts, report: ReportProblem) => void;

export const modelRule =
  (check: (model: ModelFacts, report: ReportProblem, facts: Facts) => void): SchemaRule =>
  (facts, report) => {
    for (const model of facts.models) check(model, report, facts);
  };

/** A rule that checks each field of a known type. Other fields are reported already. */
export const fieldRule = (
  check: (
    typed: { readonly field: FieldSchema; readonly type: TypeDefinition; readonly path: string },
    report: ReportProblem,
    facts: Facts,
  ) => void,
): SchemaRule =>
  modelRule(({ name, schema }, report, facts) => {
    for (const field of schema.fields) {
      const type = findType(field.type.value, facts);
      const path = `${name}.${field.name.value}`;
      if (type !== undefined) check({ field, type, path }, report, facts);
    }
  });

export const relationRule = (
  check: (
    end: { readonly relation: RelationSchema; readonly model: ModelFacts; readonly path: string },
    report: ReportProblem,
    facts: Facts,
  ) => void,
): SchemaRule =>
  modelRule((model, report, facts) => {
    for (const relation of model.schema.relations) {
      const path = `${model.name}.${relation.name.value}`;
      check({ relation, model, path }, report, facts);
    }
  });

export const findByName = <Thing extends { readonly name: Located<string> }>(
  name: string | undefined,
  things: readonly Thing[],
) => things.find((it) => it.name.value === name);

export const toOneRelations = ({ relations }: Pick<ModelSchema, 'relations'>) =>
  relations.filter(({ many }) => !many);

export const toOneNames = ({ schema }: ModelFacts): readonly string[] =>
  toOneRelations(schema).map(({ name }) => name.value);

/** The relation from `User` to a model. */
export const findKeyOfUser = (model: string, { byName }: Facts): string | undefined =>
  toOneRelations(byName.get('User')?.schema ?? { relations: [] }).find(
    ({ to }) => to.value === model,
  )?.name.value;

/** The model that a to-one relation leads to. */
export function findModelFacts(
  { schema }: ModelFacts,
  name: string,
  { byName }: Facts,
): ModelFacts | undefined {
  return byName.get(findByName(name, toOneRelations(schema))?.to.value ?? '');
}

export const declaredRoles = ({ auth }: Schema) => (auth === 'none' ? [] : (auth?.roles ?? []));

export interface Facts {
  readonly schema: Schema;
  /** `User` comes first, even if the file does not declare it. Without accounts, there is no `User`. */
  readonly models: readonly ModelFacts[];
  readonly byName: ReadonlyMap<string, ModelFacts>;
  readonly enums: ReadonlyMap<string, readonly string[]>;
  readonly hasAccounts: boolean;
  /** Includes `user` and `admin`; empty without accounts. */
  readonly roles: readonly string[];
  /** For each kind of members: the rows that make members, or why there are none. */
  readonly memberRows: ReadonlyMap<MembersSchema, MemberRows | Flaw>;
}

/** The model whose rows make members, with its relations and fields for that. */
export interface MemberRows {
  readonly by: ModelFacts;
  /** The relations to what they are members of, and to the user. A model with a link needs no user. */
  readonly of: RelationSchema;
  readonly user?: RelationSchema;
  /** An enum field. Its values are the roles, in ascending order. */
  readonly role?: FieldSchema;
  readonly roles: readonly string[];
  readonly condition: readonly Comparison[];
}

/** Undefined if there is no such type or enum. */
export function findType(
  type: string,
  { enums }: Pick<Facts, 'enums'>,
): TypeDefinition | undefined {
  return findFieldType(type) ?? (enums.has(type) ? fieldTypes.enum : undefined);
}

export interface ModelFacts {
  readonly schema: ModelSchema;
  readonly name: string;
  readonly names: ModelNames;
  readonly isUser: boolean;
  readonly table: string;
  readonly path: string;
  readonly naming: Naming;
  readonly times: readonly Time[];
  readonly properties: readonly Property[];
}
