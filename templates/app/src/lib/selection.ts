import type { Complain } from './problem.ts';
import {
  type Asked,
  barrier,
  type DeadEnd,
  isToMany,
  refusePath,
  resolvePath,
  type Resource,
  seesField,
  visibleFields,
} from './resource.ts';

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

/** A list that is embedded has this many rows at most. */
export const mostInArray = 100;

/** All of a model's own fields. */
export function wholeRow(resource: Resource): Selection {
  return select(resource, ['*']);
}

const mostPaths = 200;

/** Reads `title,author.name,tags.*`; says what is wrong with it through `complain`. */
export function parseSelection(asked: Asked, text: string, complain: Complain): Selection {
  const all = text.split(',').map((path) => path.trim());
  if (all.length > mostPaths) complain('too_many', `takes at most ${mostPaths} fields`);
  const paths = all.slice(0, mostPaths);
  const wanted = paths.filter((path, index) => {
    const end = deadEnd(asked, path);
    if (end !== undefined) refusePath(end, 'unknown_field', complain);
    else if (paths.indexOf(path) < index) complain('repeated', `\`${path}\` is repeated`);
    return end === undefined;
  });
  return select(asked.resource, wanted);
}

function deadEnd(asked: Asked, path: string): DeadEnd | undefined {
  const { resource, viewer } = asked;
  if (linkIds(resource).has(path)) {
    const barred = barrier(seesField(resource, path, viewer), true);
    return barred === undefined ? undefined : { unknown: path, known: [], barred };
  }
  // `*` stands where a field stands, and every model has an id.
  const found = resolvePath(asked, path.replace(/(^|\.)\*$/, '$1id'), true);
  return 'unknown' in found ? found : undefined;
}

function select(resource: Resource, paths: readonly string[]): Selection {
  const isWanted = (name: string) => name === 'id' || paths.includes('*') || paths.includes(name);
  const links = [...linkIds(resource)].filter(([ids]) => isWanted(ids));
  return {
    fields: visibleFields(resource).filter(isWanted),
    links: links.map(([, relation]) => relation),
    embedded: Object.entries(resource.relations).flatMap(([relation, { to }]) => {
      const inside = paths.filter((path) => path.startsWith(`${relation}.`));
      const below = inside.map((path) => path.slice(relation.length + 1));
      return below.length === 0 ? [] : [{ relation, selection: select(to(), below) }];
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

/** How many related rows one answer may have to embed, if every list among them is as long as it can be. */
const mostInAnswer = 20_000;

/** Says so when `limit` rows with all that is embedded in them could be more than one answer holds. */
export function requireBounded(
  resource: Resource,
  { selection, limit }: { readonly selection: Selection; readonly limit: number },
  complain: Complain,
): void {
  const each = embeddedRows(resource, selection);
  if (each * limit <= mostInAnswer) return;
  const fewer = Math.floor(mostInAnswer / each);
  const lower = fewer > 0 && limit > 1 ? `set \`limit\` to ${fewer} or less, or ` : '';
  complain(
    'too_many',
    `could embed ${each * limit} rows, of at most ${mostInAnswer}: ${lower}read the related rows by a list of their own, with a filter`,
  );
}

/** Of one row, at most. */
function embeddedRows(resource: Resource, { embedded }: Selection): number {
  return embedded.reduce((sum, { relation: name, selection }) => {
    const relation = resource.relations[name];
    if (relation === undefined) return sum;
    const below = embeddedRows(relation.to(), selection);
    return sum + (isToMany(relation) ? mostInArray * Math.max(1, below) : below);
  }, 0);
}
