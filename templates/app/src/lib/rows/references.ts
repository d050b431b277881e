import type { Database } from '../../database/client.ts';
import { among } from '../dialect.ts';
import { bodyFault, invalid, type Problem } from '../problem.ts';
import { fieldOf, type Resource } from '../resource.ts';
import { alive, column, from, source } from '../sql/conditions.ts';
import { execute } from '../sql/execute.ts';
import { joined, raw, sql, where, type Sql } from '../sql/sql.ts';
import { linksIn, type RowValues } from './values.ts';

interface Reference {
  readonly field: string;
  /** Whether what it names is there. */
  readonly isFound: Sql;
}

/** Throws 422 that names every key among the values that no living row answers to. */
export async function requireReferences(
  database: Database,
  resource: Resource,
  values: RowValues,
): Promise<void> {
  const references = referencesIn(resource, values);
  if (references.length === 0) return;
  const checks = references.map(({ isFound }, index) => sql`${isFound} as ${raw(`r${index}`)}`);
  const [found = {}] = await execute(database, sql`select ${joined(checks, ', ')}`);
  const missing = references.filter((_, index) => Number(found[`r${index}`]) === 0);
  if (missing.length > 0) throw missingReferences(missing.map(({ field }) => field));
}

export function missingReferences(fields: readonly string[]): Problem {
  return invalid(
    fields.map((field) => bodyFault(field, 'not_found', 'names a row that does not exist')),
  );
}

/** The fields among the values that name other rows. */
export function referencesIn(resource: Resource, values: RowValues): readonly Reference[] {
  const keys = Object.entries(values).flatMap(([field, value]): Reference[] => {
    const relation = resource.relations[resource.fields[field]?.references ?? ''];
    if (relation === undefined || value === null || value === undefined) return [];
    return [{ field, isFound: sql`${countOf(relation.to(), [value])} = 1` }];
  });
  const links = linksIn(resource, values).map(({ field, relation, ids }): Reference => {
    const isFound = sql`${countOf(relation.to(), ids)} = ${raw(String(ids.length))}`;
    return { field, isFound };
  });
  return [...keys, ...links];
}

function countOf(target: Resource, ids: readonly unknown[]): Sql {
  const there = source(target);
  const named = among(column(there, 'id'), ids, fieldOf(target, 'id'));
  return sql`(select count(*) from ${from(there)}${where([named, ...alive(there)])})`;
}
