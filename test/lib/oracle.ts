import { beds, labels, type Plant, plants, users } from './garden.ts';

export interface Viewer {
  readonly id: number;
  readonly role: string;
}

export interface Comparison {
  readonly path: string;
  readonly operator: string;
  readonly values: readonly unknown[];
}

export interface Key {
  readonly path: string;
  readonly descending: boolean;
}

export const fieldTypes: Readonly<Record<string, string>> = {
  id: 'number',
  name: 'text',
  notes: 'text',
  contact: 'text',
  page: 'text',
  height: 'number',
  seeds: 'exact',
  weight: 'number',
  price: 'exact',
  rare: 'bool',
  sown_on: 'text',
  watered_at: 'text',
  seen_at: 'text',
  code: 'text',
  shade: 'text',
  count: 'number',
  keeper_id: 'number',
  bed_id: 'number',
  'keeper.name': 'text',
  'keeper.id': 'number',
  'keeper.email': 'text',
  'bed.name': 'text',
  'bed.area': 'number',
  'labels.word': 'text',
  'labels.id': 'number',
};

/** The ids that a list should answer, worked out the slow and obvious way. */
export function expectedIds(
  terms: readonly Comparison[],
  keys: readonly Key[],
  viewer: Viewer | null,
): readonly number[] {
  const id: Key = { path: 'id', descending: keys[0]?.descending ?? false };
  return plants
    .filter((plant) => terms.every((term) => holds(plant, term, viewer)))
    .toSorted((a, b) => byKeys([...keys, id], a, b, viewer))
    .map((plant) => plant.id);
}

const isWarden = (viewer: Viewer | null) =>
  viewer !== null && ['warden', 'admin'].includes(viewer.role);

/** Whether a viewer sees a value in every row, so that they may filter and order by it. */
export function mayCompare(path: string, viewer: Viewer | null): boolean {
  if (path === 'price' || path === 'height') return isWarden(viewer);
  return viewer !== null || !path.startsWith('labels');
}

/** Whether a viewer sees the value in some rows. */
export function maySelect(path: string, viewer: Viewer | null): boolean {
  return path === 'price' ? viewer !== null : mayCompare(path, viewer);
}

/** The names in a plant that this viewer sees and not everybody does. */
export function shownOf(plant: Plant, viewer: Viewer | null): readonly string[] {
  const isTheirs = viewer?.id === plant.keeper_id;
  return [
    ...(isWarden(viewer) ? ['height'] : []),
    ...(isWarden(viewer) || isTheirs ? ['price'] : []),
    ...(viewer === null ? [] : ['label_ids']),
  ];
}

/** Whether a viewer sees a keeper; others see what users embed. */
export function seesKeeper(plant: Plant, viewer: Viewer | null): boolean {
  return viewer?.id === plant.keeper_id || viewer?.role === 'admin';
}

/** The values at the end of a path, for this viewer; several over a relation to many. */
function valuesAt(plant: Plant, path: string, viewer: Viewer | null): readonly unknown[] {
  const [relation = '', field = ''] = path.split('.');
  if (field === '') return [plant[path]];
  if (path === 'keeper.email' && !seesKeeper(plant, viewer)) return [];
  return related(plant, relation, viewer).map((row) => row[field]);
}

type Row = Readonly<Record<string, unknown>>;

function related(plant: Plant, relation: string, viewer: Viewer | null): readonly Row[] {
  switch (relation) {
    case 'keeper':
      return users.filter(({ id }) => id === plant.keeper_id);
    case 'bed':
      return beds.filter(({ id, deleted }) => id === plant.bed_id && !deleted && viewer !== null);
    default:
      return labels.filter(({ id }) => plant.label_ids.includes(id));
  }
}

function holds(
  plant: Plant,
  { path, operator, values }: Comparison,
  viewer: Viewer | null,
): boolean {
  const found = valuesAt(plant, path, viewer).filter((value) => value !== null);
  if (operator === 'isnull') return (found.length === 0) === values[0];
  const type = fieldTypes[path] ?? 'text';
  return found.some((value) =>
    tests[operator]?.((other) => compare(type, value, other), values, String(value)),
  );
}

type Test = (
  compareTo: (other: unknown) => number,
  values: readonly unknown[],
  text: string,
) => boolean;

const lower = (value: unknown) => String(value).toLowerCase();

const tests: Readonly<Record<string, Test>> = {
  eq: (to, [value]) => to(value) === 0,
  ne: (to, [value]) => to(value) !== 0,
  lt: (to, [value]) => to(value) < 0,
  lte: (to, [value]) => to(value) <= 0,
  gt: (to, [value]) => to(value) > 0,
  gte: (to, [value]) => to(value) >= 0,
  in: (to, values) => values.some((value) => to(value) === 0),
  nin: (to, values) => values.every((value) => to(value) !== 0),
  between: (to, [low, high]) => to(low) >= 0 && to(high) <= 0,
  contains: (_, [part], text) => text.includes(String(part)),
  icontains: (_, [part], text) => lower(text).includes(lower(part)),
  startswith: (_, [part], text) => text.startsWith(String(part)),
  istartswith: (_, [part], text) => lower(text).startsWith(lower(part)),
  endswith: (_, [part], text) => text.endsWith(String(part)),
  iendswith: (_, [part], text) => lower(text).endsWith(lower(part)),
};

function compare(type: string, a: unknown, b: unknown): number {
  if (type === 'exact') return Number(thousandths(a) - thousandths(b));
  if (type === 'text') return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
  const [left, right] = [Number(a), Number(b)];
  return left === right ? 0 : left < right ? -1 : 1;
}

function thousandths(value: unknown): bigint {
  const [whole = '', fraction = ''] = String(value).split('.');
  return BigInt(whole + fraction.padEnd(3, '0'));
}

/** Nulls come last in either direction. */
function byKeys(keys: readonly Key[], a: Plant, b: Plant, viewer: Viewer | null): number {
  for (const { path, descending } of keys) {
    const [left = null] = valuesAt(a, path, viewer);
    const [right = null] = valuesAt(b, path, viewer);
    if (left === null && right === null) continue;
    if (left === null) return 1;
    if (right === null) return -1;
    const order = compare(fieldTypes[path] ?? 'text', left, right);
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}
