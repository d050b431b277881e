import type { ModelNames } from '../naming/name.ts';
import { fieldTypes, findFacts } from '../types/all.ts';
import type { TypeFacts } from '../types/field-type.ts';
import type { Comparison } from './entry.ts';
import type { FieldSchema } from './keys/field.ts';
import type { ModelSchema } from './keys/model.ts';
import type { MembersSchema } from './keys/people.ts';
import type { RelationSchema } from './keys/relation.ts';
import type { Schema } from './keys/top.ts';
import type { Located, Naming } from './language.ts';
import type { Property, Time } from './property-facts.ts';
import type { Flaw, ReportProblem } from './scope.ts';

/** A rule of the language: it reports whatever breaks it. */
export type SchemaRule = (facts: Facts, report: ReportProblem) => void;

/** A rule about each model. */
export const ofModels =
  (check: (model: ModelFacts, report: ReportProblem, facts: Facts) => void): SchemaRule =>
  (facts, report) => {
    for (const model of facts.models) check(model, report, facts);
  };

/** A field whose type is known, so that one slip is one problem. */
interface TypedPlace {
  readonly field: FieldSchema;
  readonly type: TypeFacts;
  readonly path: string;
}

/** A rule about each of those. */
export const ofFields = (
  check: (place: TypedPlace, report: ReportProblem, facts: Facts) => void,
): SchemaRule =>
  ofModels(({ name, schema }, report, facts) => {
    for (const field of schema.fields) {
      const type = findTypeFacts(field.type.value, facts);
      const path = `${name}.${field.name.value}`;
      if (type !== undefined) check({ field, type, path }, report, facts);
    }
  });

/** A rule about each relation. */
export const ofRelations = (
  check: (
    place: { readonly relation: RelationSchema; readonly model: ModelFacts; readonly path: string },
    report: ReportProblem,
    facts: Facts,
  ) => void,
): SchemaRule =>
  ofModels((model, report, facts) => {
    for (const relation of model.schema.relations) {
      const path = `${model.name}.${relation.name.value}`;
      check({ relation, model, path }, report, facts);
    }
  });

/** The field, or the relation, of that name. */
export const findNamed = <Thing extends { readonly name: Located<string> }>(
  name: string | undefined,
  things: readonly Thing[],
) => things.find((it) => it.name.value === name);

export const toOnes = ({ relations }: Pick<ModelSchema, 'relations'>) =>
  relations.filter(({ many }) => !many);

export const toOneNames = ({ schema }: ModelFacts): readonly string[] =>
  toOnes(schema).map(({ name }) => name.value);

/** The model to which a to-one relation leads. */
export function findModelFacts(
  { schema }: ModelFacts,
  name: string,
  { byName }: Facts,
): ModelFacts | undefined {
  return byName.get(findNamed(name, toOnes(schema))?.to.value ?? '');
}

export const declaredRoles = ({ auth }: Schema) => (auth === 'none' ? [] : (auth?.roles ?? []));

export interface Facts {
  readonly schema: Schema;
  /** `User` comes first, even if the file does not mention it; without accounts, there is no `User`. */
  readonly models: readonly ModelFacts[];
  readonly byName: ReadonlyMap<string, ModelFacts>;
  readonly enums: ReadonlyMap<string, readonly string[]>;
  readonly hasAccounts: boolean;
  /** Includes `user` and `admin`; empty without accounts. */
  readonly roles: readonly string[];
  /** The rows of each kind of members, or why there are none. */
  readonly memberRows: ReadonlyMap<MembersSchema, MemberRows | Flaw>;
}

/** The relations and fields of the model whose rows name the members. */
export interface MemberRows {
  readonly by: ModelFacts;
  /** The relation to what they are members of, and to the member; a model with a link needs no user. */
  readonly of: RelationSchema;
  readonly user?: RelationSchema;
  /** An enum, whose values are the roles, from the lowest up. */
  readonly role?: FieldSchema;
  readonly roles: readonly string[];
  readonly condition: readonly Comparison[];
}

/** Undefined for what is neither a type nor an enum. */
export function findTypeFacts(
  type: string,
  { enums }: Pick<Facts, 'enums'>,
): TypeFacts | undefined {
  return findFacts(type) ?? (enums.has(type) ? fieldTypes.enum : undefined);
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
