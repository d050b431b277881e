import { sql } from 'kysely';
import type { Database } from '../database/client.ts';
import { among, encode, encodeList, forKey, takeTurn } from '../database/dialect.ts';
import { canonical } from '../database/values.ts';
import { inSql } from './access.ts';
import type { Attempt } from './checks.ts';
import { evaluate, selectConditions } from './evaluate.ts';
import { bodyFault, invalid, noSuchRow } from './problem.ts';
import { fieldOf, isIdList, keysOf, type Links, type Resource } from './resource.ts';
import {
  admitted,
  alive,
  column,
  from,
  idsAbove,
  idSlot,
  operandSlot,
  type Source,
  source,
  where,
} from './sql.ts';

/**
 * Throws 422 that names every key without a row the viewer may refer to. The row of an owner whom the server sets, or
 * whom the viewer may name, need only exist.
 */
export async function requireReferences(database: Database, attempt: Attempt): Promise<void> {
  const { resource, viewer, input } = attempt;
  const references = referencesIn(resource, input);
  if (references.length === 0) return;
  const isAnswered = ({ to, isOwner }: Reference, index: number) => {
    const there = source(to);
    const named = admitted(there, isOwner === true || to.policy.refer(inSql(viewer)));
    const isNamed = among(column(there, 'id'), operandSlot(2 * index));
    const found = where([isNamed, ...alive(there), ...named]);
    const rows = sql`select 1 from ${from(there)}${found}${forKey}`;
    return sql`(select count(*) from (${rows}) as found) = ${operandSlot(2 * index + 1)}`;
  };
  const operands = references.flatMap(({ to, ids }) => [
    encodeList(ids, fieldOf(to, 'id')),
    ids.length,
  ]);
  const key = ['references', resource.name, viewer?.role, ...references.map(({ field }) => field)];
  const build = () => selectConditions(references.map(isAnswered));
  const found = await evaluate(database, key, build, { viewer, operands });
  const missing = references.filter((_, index) => found?.[index] !== true);
  if (missing.length === 0) return;
  throw invalid(missing.map(({ field }) => bodyFault(field, 'not_found', noSuchRow)));
}

interface Reference {
  readonly field: string;
  readonly to: Resource;
  readonly ids: readonly unknown[];
  readonly isOwner?: boolean;
}

/** Those of the values that are keys of other rows. */
function referencesIn(resource: Resource, values: object): readonly Reference[] {
  const given = new Map<string, unknown>(Object.entries(values));
  const keys = keysOf(resource).flatMap(({ to, key: field }): Reference[] => {
    const value = given.get(field);
    if (value === null || value === undefined) return [];
    const { set, owner } = fieldOf(resource, field);
    return [{ field, to: to(), ids: [value], isOwner: set === 'server' || owner === true }];
  });
  const links = Object.values(resource.relations)
    .filter(isIdList)
    .flatMap((relation): Reference[] => {
      const ids = given.get(relation.ids);
      if (!Array.isArray(ids)) return [];
      return [{ field: relation.ids, to: relation.to(), ids: distinctIds(relation, ids) }];
    });
  return [...keys, ...links];
}

/** Throws 422 for a key that would make a row its own ancestor, directly or through other rows. */
export async function requireNoCircle(database: Database, attempt: Attempt): Promise<void> {
  const { resource, id, input } = attempt;
  const given = new Map<string, unknown>(Object.entries(input));
  for (const { to, key } of keysOf(resource)) {
    const parent = given.get(key);
    if (to() !== resource || parent === null || parent === undefined) continue;
    // One after another, or two that move rows at the same time would complete a circle that neither sees.
    await takeTurn(database, resource.table);
    const build = () =>
      selectConditions([sql`${idSlot} not in ${idsAbove(resource, [key], isParent)}`]);
    const operands = [encode(parent, fieldOf(resource, 'id'))];
    const found = await evaluate(database, ['circle', resource.name, key], build, { id, operands });
    if (found?.[0] === true) continue;
    throw invalid([bodyFault(key, 'circular', 'would make the row its own ancestor')]);
  }
}

const isParent = (row: Source) => sql`${column(row, 'id')} = ${operandSlot(0)}`;

/** Different spellings of one id count once. */
export function distinctIds(links: Links, ids: readonly unknown[]): readonly unknown[] {
  const idField = fieldOf(links.to(), 'id');
  return [...new Set(ids.map((id) => canonical(id, idField)))];
}
