import type { Expression } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { ValueType } from '../database/values.ts';
import type { Condition, Policy, ViewerInSql } from './access.ts';
import type { Complain } from './problem.ts';
import { unknownName } from './unknown-name.ts';

export type Id = number | string;

/** A model, as reads, writes and the OpenAPI document see it. */
export interface Resource<Row = unknown> {
  /** `Post` */
  readonly name: string;
  readonly table: keyof Tables;
  /** In the order in which they are sent. */
  readonly fields: Fields<Row>;
  /** Values of a new row that the database cannot fill in by itself, by column. */
  readonly defaults?: () => object;
  readonly relations: { readonly [name: string]: Relation };
  /** The fields of each unique constraint, by its name. */
  readonly unique?: { readonly [constraint: string]: readonly string[] };
  /** What holds between two fields, `['ends_on', '>=', 'starts_on']`, by the name of the constraint. */
  readonly checks?: { readonly [constraint: string]: readonly [string, string, string] };
  /** Default order: `-published_at`. The id is always appended. */
  readonly orderBy?: string;
  /** The field that holds when a row was deleted, if deleted rows are kept. */
  readonly softDelete?: string;
  readonly policy: Policy;
  /** Parameters of the list, besides those that every list has. */
  readonly parameters?: { readonly [name: string]: ListParameter };
}

/** A list parameter of your own, such as `q`. What it does is up to the `rows` of the list. */
export interface ListParameter {
  readonly description: string;
  /** Returns the value to bind; reports through `complain` what is wrong. */
  readonly parse: (text: string, complain: Complain) => string | undefined;
}

/** The fields of a row. They carry its type, so that the compiler tells the rows of two models apart. */
export interface Fields<Row = unknown> {
  readonly [name: string]: Field;
  readonly [rowType]?: Row;
}

declare const rowType: unique symbol;

export interface Field extends ValueType {
  /** If it differs from the name. */
  readonly column?: string | undefined;
  /** What is computed instead of a column; `table` is the name of the table in the statement. */
  readonly computed?: ((table: string) => Expression<unknown>) | undefined;
  readonly nullable?: true;
  /** What a new row has if nothing is sent. */
  readonly default?: unknown;
  /** Secret: never sent, and no filter or order can use it. */
  readonly hidden?: true;
  /** Never taken from a client. */
  readonly set?: 'server';
  /** Names the owner of a row: accepted only from those who may name somebody else. */
  readonly owner?: true | undefined;
}

export type Relation = One | Inverse | Links;

export function isToMany({ kind }: Relation): boolean {
  return kind === 'many' || kind === 'links';
}

/** `key` is a field of this model. */
export interface One {
  readonly kind: 'one';
  readonly to: () => Resource;
  readonly key: string;
  readonly nullable?: true;
  /** The row is deleted with the one that it belongs to. */
  readonly onDelete?: 'cascade';
}

/** `key` is a field of the target. */
export interface Inverse {
  readonly kind: 'many' | 'single';
  readonly to: () => Resource;
  readonly key: string;
}

/** Many-to-many: `column` holds this model's id, `targetColumn` the target's. */
export interface Links {
  readonly kind: 'links';
  readonly to: () => Resource;
  readonly table: string;
  readonly column: string;
  readonly targetColumn: string;
  /** The model behind `table`, when it has fields of its own. */
  readonly through?: () => Resource;
  /** The field that lists the target's ids: `tag_ids`. */
  readonly ids?: string;
}

export function isIdList(relation: Relation): relation is Links & { readonly ids: string } {
  return relation.kind === 'links' && relation.ids !== undefined;
}

/** The relations whose keys are fields of this model. */
export function keysOf({ relations }: Resource): readonly One[] {
  return Object.values(relations).filter((relation) => relation.kind === 'one');
}

/** For names from the code; use `Object.hasOwn` for those that a client sends. */
export function fieldOf(resource: Resource, name: string): Field {
  const field = resource.fields[name];
  if (field === undefined) throw new Error(`${resource.name} has no field ${name}`);
  return field;
}

/** The model at which a path starts, and who follows it. */
export interface PathRoot {
  readonly resource: Resource;
  readonly viewer: ViewerInSql | null;
}

/** `author.name`: over relations to a field that the viewer may see. */
export interface Path {
  readonly text: string;
  readonly steps: readonly Relation[];
  /** Of the last model. */
  readonly name: string;
  readonly field: Field;
}

/** The part of a path that leads nowhere, and the names that would be allowed there. */
export interface DeadEnd {
  readonly unknown: string;
  readonly known: readonly string[];
  /** Why this viewer cannot use it, if others can. */
  readonly barred?: string;
}

const maxSteps = 3;

/**
 * Finds the field to which a path leads. If it is only shown, it may be left out of some rows; if rows are filtered or
 * ordered by it, the viewer has to see it in all of them, or the comparison would reveal it.
 */
export function resolvePath(
  { resource, viewer }: PathRoot,
  text: string,
  isShown = false,
): Path | DeadEnd {
  const names = text.split('.');
  const name = names.pop() ?? '';
  const steps: Relation[] = [];
  let at = resource;
  for (const step of names) {
    if (steps.length === maxSteps) return { unknown: step, known: visibleFields(at) };
    const relation = Object.hasOwn(at.relations, step) ? at.relations[step] : undefined;
    if (relation === undefined) return { unknown: step, known: Object.keys(at.relations) };
    const { here, there } = seesRelation(at, relation, viewer);
    // Related rows whose key the viewer may not see are left out.
    const barred = whyBarred(here, isShown) ?? whyBarred(there, true);
    if (barred !== undefined) return { unknown: step, known: [], barred };
    steps.push(relation);
    at = relation.to();
  }
  const field = visibleField(at, name);
  if (field === undefined) return { unknown: name, known: visibleFields(at) };
  const barred = whyBarred(seesField(at, name, viewer), isShown);
  return barred === undefined ? { text, steps, name, field } : { unknown: name, known: [], barred };
}

export function whyBarred(seen: Condition, isShown: boolean): string | undefined {
  if (seen === false) return 'is not visible to you';
  return seen === true || isShown ? undefined : 'is visible to you in some rows only';
}

/** Reports why a path leads nowhere; `code` is for names that do not exist. */
export function refusePath({ unknown, known, barred }: DeadEnd, code: string, complain: Complain) {
  if (barred === undefined) complain(code, unknownName(unknown, known));
  else complain('not_readable', `\`${unknown}\` ${barred}`);
}

/** A hidden field is as unknown as one that does not exist. */
export function visibleFields(resource: Resource): readonly string[] {
  return Object.keys(resource.fields).filter((name) => resource.fields[name]?.hidden !== true);
}

function visibleField(resource: Resource, name: string): Field | undefined {
  const field = Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined;
  return field?.hidden === true ? undefined : field;
}

/** In which of the rows that they may read a viewer sees a field. The id is in every row. */
export function seesField(
  { policy }: Resource,
  name: string,
  viewer: ViewerInSql | null,
): Condition {
  const rules = name === 'id' ? undefined : policy.fields.get(name);
  return rules === undefined || rules.read(viewer);
}

/** Whether a viewer sees everything in the rows that they may read: every field, and the ids of all linked rows. */
export function seesWholeRows(resource: Resource, viewer: ViewerInSql | null): boolean {
  const seesFields = ({ policy }: Resource) =>
    [...policy.fields.values()].every(({ read }) => read(viewer) === true);
  const seesRows = ({ policy }: Resource) => policy.read(viewer) === true;
  return (
    seesFields(resource) &&
    Object.values(resource.relations)
      .filter(isIdList)
      .every(({ to, through }) => {
        const between = through?.();
        const seesLinks = between === undefined || (seesRows(between) && seesFields(between));
        return seesLinks && seesRows(to());
      })
  );
}

/** In which rows of either side a viewer sees a relation: whoever sees its key sees where it leads. */
export function seesRelation(
  resource: Resource,
  relation: Relation,
  viewer: ViewerInSql | null,
): { readonly here: Condition; readonly there: Condition } {
  const there = relation.to();
  if (relation.kind === 'one') {
    return { here: seesField(resource, relation.key, viewer), there: true };
  }
  if (relation.kind !== 'links') {
    return { here: true, there: seesField(there, relation.key, viewer) };
  }
  const ids = relation.ids ?? idsOfOtherSide(relation);
  const isHere = relation.ids !== undefined;
  const sees = ids === undefined || seesField(isHere ? resource : there, ids, viewer);
  return isHere ? { here: sees, there: true } : { here: true, there: sees };
}

/** The field of the other side that lists the same links. */
function idsOfOtherSide({ to, table, targetColumn }: Links): string | undefined {
  return Object.values(to().relations)
    .filter(isIdList)
    .find((other) => other.table === table && other.column === targetColumn)?.ids;
}

/** Whether a field is shown to those who may not read its row, but see another one that leads to it. */
export function isEmbedded(relation: Relation, name: string): boolean {
  if (!hasEmbedded(relation)) return false;
  return name === 'id' || relation.to().policy.embed.includes(name);
}

export function hasEmbedded(relation: Relation): boolean {
  return relation.kind === 'one' && relation.to().policy.embed.length > 0;
}
