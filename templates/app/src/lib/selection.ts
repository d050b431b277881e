import type { ViewerInSql } from './access.ts';
import {
  barrier,
  type DeadEnd,
  ownRelation,
  refusePath,
  resolvePath,
  seesField,
  visibleFields,
} from './path.ts';
import type { Complain } from './problem.ts';
import type { Resource } from './resource.ts';

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
