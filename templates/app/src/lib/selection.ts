import type { Complain } from './problem.ts';
import {
  type DeadEnd,
  isIdList,
  isToMany,
  type PathRoot,
  refusePath,
  resolvePath,
  type Resource,
  seesField,
  visibleFields,
  whyBarred,
} from './resource.ts';

/** The part of a row that is returned, in the order of the resource, however it was asked for. */
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

/** The most rows of an embedded list. */
export const maxInArray = 100;

/** All fields of the model itself. */
export function wholeRow(resource: Resource): Selection {
  return select(resource, ['*']);
}

const maxPaths = 200;

/** Reads `title,author.name,tags.*`; reports through `complain` what is wrong with it. */
export function parseSelection(root: PathRoot, text: string, complain: Complain): Selection {
  const all = text.split(',').map((path) => path.trim());
  if (all.length > maxPaths) complain('too_many', `takes at most ${maxPaths} fields`);
  const paths = all.slice(0, maxPaths);
  const wanted = paths.filter((path, index) => {
    const end = deadEnd(root, path);
    if (end !== undefined) refusePath(end, 'unknown_field', complain);
    else if (paths.indexOf(path) < index) complain('repeated', `\`${path}\` is repeated`);
    return end === undefined;
  });
  return select(root.resource, wanted);
}

function deadEnd(root: PathRoot, path: string): DeadEnd | undefined {
  const { resource, viewer } = root;
  if (linkIds(resource).has(path)) {
    const barred = whyBarred(seesField(resource, path, viewer), true);
    return barred === undefined ? undefined : { unknown: path, known: [], barred };
  }
  // `*` takes the place of a field, so it is resolved as `id`, which every model has.
  const found = resolvePath(root, path.replace(/(^|\.)\*$/, '$1id'), true);
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
    isIdList(relation) ? [[relation.ids, name] as const] : [],
  );
  return new Map(entries);
}

/** The most related rows that one answer may have to embed, if every list is as long as it can be. */
const maxInAnswer = 20_000;

/** Complains if `limit` rows, with all that they embed, could be too much for one answer. */
export function requireBounded(
  resource: Resource,
  { selection, limit }: { readonly selection: Selection; readonly limit: number },
  complain: Complain,
): void {
  const each = embeddedRows(resource, selection);
  if (each * limit <= maxInAnswer) return;
  const fewer = Math.floor(maxInAnswer / each);
  const lower = fewer > 0 && limit > 1 ? `set \`limit\` to ${fewer} or less, or ` : '';
  complain(
    'too_many',
    `could embed ${each * limit} rows, of at most ${maxInAnswer}: ${lower}read the related rows by a list of their own, with a filter`,
  );
}

/** The most related rows of one row. */
function embeddedRows(resource: Resource, { embedded }: Selection): number {
  return embedded.reduce((sum, { relation: name, selection }) => {
    const relation = resource.relations[name];
    if (relation === undefined) return sum;
    const below = embeddedRows(relation.to(), selection);
    return sum + (isToMany(relation) ? maxInArray * Math.max(1, below) : below);
  }, 0);
}
