import type { Condition, ViewerInSql } from './access.ts';
import type { Links, Relation, Resource } from './resource.ts';

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
