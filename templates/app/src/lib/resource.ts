import type { Expression } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { ValueType } from '../database/values.ts';
import type { Condition, Policy, ViewerInSql } from './access.ts';
import { type Complain, unknownName } from './problem.ts';

export type Id = number | string;

/** A model as lists and the OpenAPI document read it. */
export interface Resource {
  /** `Post` */
  readonly name: string;
  readonly table: keyof Tables;
  readonly id: 'int' | 'uuid';
  /** In the order of the wire. */
  readonly fields: { readonly [name: string]: Field };
  readonly relations: { readonly [name: string]: Relation };
  /** Fields of each unique constraint, by its name. */
  readonly unique: { readonly [constraint: string]: readonly string[] };
  /** Default order: `-published_at`. The id is always appended. */
  readonly orderBy: string;
  readonly softDelete: boolean;
  readonly policy: Policy;
  /** Parameters of the list besides those that every list has. */
  readonly parameters?: { readonly [name: string]: ListParameter };
}

/** A parameter of a list of your own, such as `q`. What it does stands where the rows of the list are selected. */
export interface ListParameter {
  readonly description: string;
  /** What is bound for it; says through `complain` what is wrong. */
  readonly parse: (text: string, complain: Complain) => string | undefined;
}

export interface Field extends ValueType {
  /** When it differs from the name. */
  readonly column?: string;
  /** What is computed where there is no column, of the row of the table by this name. */
  readonly computed?: (table: string) => Expression<unknown>;
  readonly nullable?: true;
  /** Secret: neither answered nor filtered nor ordered by. */
  readonly hidden?: true;
  /** Never taken from a client; of an owner, only from those who may name another one. */
  readonly set?: 'server' | 'owner';
  readonly immutable?: true;
  /** The relation whose key this is. */
  readonly references?: string;
  /** What a new row holds when it is given nothing. */
  readonly default?: 'now' | 'uuid' | { readonly value: unknown };
}
export type Relation = One | Inverse | Links;

/** `key` is a field of this model. */
export interface One {
  readonly kind: 'one';
  readonly to: () => Resource;
  readonly key: string;
  readonly nullable?: true;
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

/** A field that the resource itself names; use `Object.hasOwn` for what a client names. */
export function fieldOf(resource: Resource, name: string): Field {
  const field = resource.fields[name];
  if (field === undefined) throw new Error(`${resource.name} has no field ${name}`);
  return field;
}

/** `author.name`: over relations to a field that may be seen. */
export interface Path {
  readonly text: string;
  readonly steps: readonly Step[];
  /** Of the last model. */
  readonly name: string;
  readonly field: Field;
}

export interface Step {
  readonly name: string;
  readonly relation: Relation;
}

/** The part of a path that leads nowhere, and what could stand there. */
export interface DeadEnd {
  readonly unknown: string;
  readonly known: readonly string[];
  /** Why it is no use to this viewer, where it is there for others. */
  readonly barred?: string;
}

/**
 * Who names a path. What is shown may be left out of some rows; what rows are compared by has to be seen in all of them,
 * or it would tell what it is where it is not seen.
 */
export interface Asking {
  readonly viewer: ViewerInSql | null;
  readonly isShown?: boolean;
}

const deepest = 3;

export function resolvePath(resource: Resource, text: string, asking: Asking): Path | DeadEnd {
  const names = text.split('.');
  const name = names.pop() ?? '';
  const steps: Step[] = [];
  let at = resource;
  for (const step of names) {
    if (steps.length === deepest) return { unknown: step, known: visibleFields(at) };
    const relation = ownRelation(at, step);
    if (relation === undefined) return { unknown: step, known: Object.keys(at.relations) };
    const sees = seesRelation(at, relation, asking.viewer);
    const barred = barrier(sees.here, asking) ?? barrier(sees.there, { ...asking, isShown: true });
    if (barred !== undefined) return { unknown: step, known: [], barred };
    steps.push({ name: step, relation });
    at = relation.to();
  }
  const field = visibleField(at, name);
  if (field === undefined) return { unknown: name, known: visibleFields(at) };
  const barred = barrier(seesField(at, name, asking.viewer), asking);
  return barred === undefined ? { text, steps, name, field } : { unknown: name, known: [], barred };
}

/** Rows of the other side in which the viewer does not see the way here are not there for them. */
export function barrier(seen: Condition, { isShown = false }: Asking): string | undefined {
  if (seen === false) return 'is not yours to read';
  return seen === true || isShown ? undefined : 'is yours to read in some rows only';
}

/** Says why a path leads nowhere; `code` is for names that there are not. */
export function refusePath({ unknown, known, barred }: DeadEnd, code: string, complain: Complain) {
  if (barred === undefined) complain(code, unknownName(unknown, known));
  else complain('not_readable', `\`${unknown}\` ${barred}`);
}

/** A hidden field is as unknown as one that does not exist. */
export function visibleFields(resource: Resource): readonly string[] {
  return Object.keys(resource.fields).filter((name) => resource.fields[name]?.hidden !== true);
}

export function visibleField(resource: Resource, name: string): Field | undefined {
  const field = Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined;
  return field?.hidden === true ? undefined : field;
}

export function ownRelation(resource: Resource, name: string): Relation | undefined {
  return Object.hasOwn(resource.relations, name) ? resource.relations[name] : undefined;
}

/** In which rows a viewer sees a field, of those that they may read. The id is in every row. */
export function seesField(
  { policy }: Resource,
  name: string,
  viewer: ViewerInSql | null,
): Condition {
  const rules = name === 'id' ? undefined : policy.fields.get(name);
  return rules === undefined || rules.read(viewer);
}

/** Whether a viewer sees all that the rows hold which they may read. */
export function seesWholeRows({ policy }: Resource, viewer: ViewerInSql | null): boolean {
  return [...policy.fields.values()].every(({ read }) => read(viewer) === true);
}

/** In which rows of its two sides a viewer sees where a relation leads: who sees its key, sees the relation. */
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
  for (const relation of Object.values(to().relations)) {
    if (relation.kind !== 'links' || relation.ids === undefined) continue;
    if (relation.table === table && relation.column === targetColumn) return relation.ids;
  }
  return undefined;
}

/** Whether a field of a row is shown to whoever sees one that leads to it, although they may not read the row itself. */
export function isEmbedded(relation: Relation, name: string): boolean {
  if (!hasEmbedded(relation)) return false;
  return name === 'id' || relation.to().policy.embed.includes(name);
}

export function hasEmbedded(relation: Relation): boolean {
  return relation.kind === 'one' && relation.to().policy.embed.length > 0;
}

/** What of a row is answered, in the order of the resource, however it was asked for. */
export interface Selection {
  readonly fields: readonly string[];
  /** Relations whose ids are listed. */
  readonly links: readonly string[];
  readonly embedded: readonly Embedded[];
}

export interface Embedded {
  readonly relation: string;
  readonly selection: Selection;
}

/** The names that were asked for, and the same below each relation. */
interface Wanted {
  readonly names: Set<string>;
  readonly below: Map<string, Wanted>;
}

/** All of a model's own fields. */
export function wholeRow(resource: Resource): Selection {
  return select(resource, { names: new Set(['*']), below: new Map() });
}

const mostPaths = 200;

/** Reads `title,author.name,tags.*`; says what is wrong with it through `complain`. */
export function parseSelection(
  { resource, viewer }: { readonly resource: Resource; readonly viewer: ViewerInSql | null },
  text: string,
  complain: Complain,
): Selection {
  const all = text.split(',').map((path) => path.trim());
  if (all.length > mostPaths) complain('too_many', `takes at most ${mostPaths} fields`);
  const paths = all.slice(0, mostPaths);
  const wanted: Wanted = { names: new Set(), below: new Map() };
  for (const [index, path] of paths.entries()) {
    const end = deadEnd(resource, path, viewer);
    if (end !== undefined) refusePath(end, 'unknown_field', complain);
    else if (paths.indexOf(path) < index) complain('repeated', `\`${path}\` is repeated`);
    else want(wanted, path.split('.'));
  }
  return select(resource, wanted);
}

function deadEnd(
  resource: Resource,
  path: string,
  viewer: ViewerInSql | null,
): DeadEnd | undefined {
  const asking = { viewer, isShown: true };
  if (linkIds(resource).has(path)) {
    const barred = barrier(seesField(resource, path, viewer), asking);
    return barred === undefined ? undefined : { unknown: path, known: [], barred };
  }
  // `*` stands where a field stands, and every model has an id.
  const found = resolvePath(resource, path.replace(/(^|\.)\*$/, '$1id'), asking);
  return 'unknown' in found ? found : undefined;
}

function want(wanted: Wanted, [first = '', ...others]: readonly string[]): void {
  if (others.length === 0) {
    wanted.names.add(first);
    return;
  }
  const below = wanted.below.get(first) ?? { names: new Set(), below: new Map() };
  wanted.below.set(first, below);
  want(below, others);
}

function select(resource: Resource, { names, below }: Wanted): Selection {
  const isWanted = (name: string) => name === 'id' || names.has('*') || names.has(name);
  const links = [...linkIds(resource)].filter(([ids]) => isWanted(ids));
  return {
    fields: visibleFields(resource).filter(isWanted),
    links: links.map(([, relation]) => relation),
    embedded: Object.keys(resource.relations).flatMap((relation) => {
      const wanted = below.get(relation);
      const target = ownRelation(resource, relation)?.to();
      if (wanted === undefined || target === undefined) return [];
      return [{ relation, selection: select(target, wanted) }];
    }),
  };
}

/** `tag_ids` → `tags` */
function linkIds(resource: Resource): ReadonlyMap<string, string> {
  const entries = Object.entries(resource.relations).flatMap(([name, relation]) =>
    relation.kind === 'links' && relation.ids !== undefined ? [[relation.ids, name] as const] : [],
  );
  return new Map(entries);
}
