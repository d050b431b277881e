import { system } from '../lib/access.ts';
import type { Listing } from '../lib/list.ts';
import { visibleFields } from '../lib/path.ts';
import type { Resource } from '../lib/resource.ts';
import { insertRow, listRows } from './insert-row.ts';
import { users } from '../users/schema.ts';
import type { Database } from './client.ts';
import { samples } from './samples.ts';
import {
  canPoint,
  distinctRows,
  drawKeys,
  type Sample,
  type Targets,
  type Values,
} from './samples/rows.ts';
import { transaction } from './transaction.ts';

/** Of every user that a seed makes. */
export const seedPassword = 'correct horse battery staple';

interface Options {
  readonly database: Database;
  readonly reader: Database;
  /** Rows to add to each model. */
  readonly count: number;
  /** The hash of `seedPassword`. */
  readonly password: string;
}

interface Added {
  readonly name: string;
  readonly rows: number;
}

/** Ids of all rows, by table. */
type Ids = Map<string, readonly unknown[]>;

/** Adds believable rows to every model; fewer where a unique constraint leaves no room for as many. */
export async function seed(options: Options): Promise<readonly Added[]> {
  const ids: Ids = new Map();
  const added: Added[] = [];
  for (const sample of Object.values(samples)) {
    added.push({ name: sample.resource.name, rows: await seedModel(sample, ids, options) });
  }
  return added;
}

const rowsPerTransaction = 500;

async function seedModel(sample: Sample, ids: Ids, options: Options): Promise<number> {
  const { database, reader, count } = options;
  const { resource } = sample;
  const there = await readRows(reader, resource);
  ids.set(
    resource.table,
    there.map(({ id }) => id),
  );
  if (!canPoint(resource, targetsIn(ids))) return 0;

  const write = rowWriter(sample, { ids, options, next: distinctRows(resource, there) });
  let rows = 0;
  while (rows < count) {
    const size = Math.min(count - rows, rowsPerTransaction);
    const made = await transaction(database, (open) => write(open, size));
    ids.set(resource.table, [...(ids.get(resource.table) ?? []), ...made]);
    rows += made.length;
    if (made.length < size) break;
  }
  return rows;
}

interface Writing {
  readonly ids: Ids;
  readonly options: Options;
  readonly next: ReturnType<typeof distinctRows>;
}

/** Inserts up to so many rows and returns their ids. */
function rowWriter({ resource, values }: Sample, { ids, options, next }: Writing) {
  const fixed = resource === users ? { password: options.password } : {};
  return async (database: Database, size: number): Promise<readonly unknown[]> => {
    const made: unknown[] = [];
    const targets = targetsIn(new Map([...ids, [resource.table, made]]));
    while (made.length < size) {
      const row = next((draw, isFree) => ({
        ...values(draw),
        ...drawKeys(resource, { draw, isFree }, targets),
        ...fixed,
      }));
      if (row === undefined) break;
      const { id } = await insertRow<Values>(database, resource, row);
      made.push(id);
    }
    return made;
  };
}

function targetsIn(ids: Ids): Targets {
  return (relation) => ids.get(relation.to().table) ?? [];
}

/** Every row that is there, with what its unique constraints are about, be it hidden or not. */
async function readRows(reader: Database, hiding: Resource): Promise<readonly Values[]> {
  const resource = withoutSecrets(hiding);
  const unique = new Set(Object.values(resource.unique).flat());
  const fields = visibleFields(resource).filter((name) => name === 'id' || unique.has(name));
  const query = `order_by=id&count=none&limit=1000&fields=${fields.map(encodeURIComponent).join(',')}`;
  const rows: Values[] = [];
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const request = { viewer: system, query: query + cursor };
    const page: Listing<Values> = await listRows(reader, resource, request);
    rows.push(...page.items);
    cursor = page.next_cursor && `&cursor=${page.next_cursor}`;
  }
  return rows;
}

function withoutSecrets(resource: Resource): Resource {
  const fields = Object.entries(resource.fields).map(([name, field]) => [
    name,
    { ...field, hidden: undefined },
  ]);
  return { ...resource, fields: Object.fromEntries(fields) };
}
