import type { App, Field, Model } from '../../../src/model/app.ts';
import { getId } from '../../../src/model/lookups.ts';
import { asText } from '../support/as-text.ts';
import type { DataRow } from './data.ts';
import { valueName, type Value, type World, type WorldField, type WorldModel } from './world.ts';

/** The test's rows as SQL, and SQL's rows as the test's. */
export interface Place {
  readonly app: App;
  readonly world: World;
}

export function insertRow(row: DataRow, world: WorldModel, { app, ...place }: Place): string {
  const model = modelOf(app, world.name);
  const values: [string, string][] = [['mark', String(row.mark)]];
  for (const field of world.fields) {
    const value = row.values.get(field.id) ?? null;
    values.push([columnOf(model, field.name), literal(value, field, { app, ...place })]);
  }
  for (const relation of world.relations.filter(({ many }) => !many)) {
    const key = row.keys.get(relation.id) ?? null;
    const target = place.world.models.find(({ id }) => id === relation.to)?.name ?? '';
    const id = key === null ? 'NULL' : idOf(app, target, key);
    values.push([columnOf(model, `${relation.name}_id`), id]);
  }
  const id = columnOf(model, 'id');
  const { kind } = getId(model).type;
  if (kind === 'uuid') values.push([id, `'${uuidOf(row.mark)}'`]);
  if (kind === 'text') values.push([id, `'key/${row.mark}'`]);
  if (world.name === 'User') {
    const mail = `'${row.mark}@example.test'`;
    values.push(['name', `'Ann'`], ['email', mail], ['password', `'hash'`]);
  }
  if (world.timestamps) values.push(['created_at', stamp], ['updated_at', stamp]);
  if (row.deleted) values.push(['deleted_at', stamp]);
  const columns = values.map(([column]) => `"${column}"`);
  const literals = values.map(([, value]) => value);
  return `INSERT INTO "${model.table}" (${columns.join(', ')}) VALUES (${literals.join(', ')})`;
}

export function insertLink(
  [here, there]: readonly [number, number],
  relation: { readonly name: string; readonly to: number },
  { model, app, world }: Place & { readonly model: WorldModel },
): string {
  const { table, column, targetColumn } = linksOf(app, model.name, relation.name);
  const target = world.models.find(({ id }) => id === relation.to)?.name ?? '';
  const ids = `${idOf(app, model.name, here)}, ${idOf(app, target, there)}`;
  return `INSERT INTO "${table}" ("${column}", "${targetColumn}") VALUES (${ids})`;
}

/** One column of text for each field, and a mark for each key: the same on both engines. */
export function selectRows(world: WorldModel, place: Place): string {
  const { app } = place;
  const model = modelOf(app, world.name);
  const fields = world.fields.map((field) => {
    const column = `"${model.table}"."${columnOf(model, field.name)}"`;
    // SQLite changes a float when it turns it into text.
    const isPlain = app.database === 'sqlite' && field.type.kind === 'float';
    return `${isPlain ? column : asText(column, field.type, app.database)} AS f${field.id}`;
  });
  const keys = world.relations
    .filter(({ many }) => !many)
    .map((relation) => {
      const target = place.world.models.find(({ id }) => id === relation.to)?.name ?? '';
      const key = `"${model.table}"."${columnOf(model, `${relation.name}_id`)}"`;
      const there = modelOf(app, target);
      const id = columnOf(there, 'id');
      return `(SELECT mark FROM "${there.table}" AS target WHERE target."${id}" = ${key}) AS r${relation.id}`;
    });
  const deleted = world.softDelete ? 'deleted_at IS NOT NULL' : '1 = 0';
  const columns = ['mark', `CASE WHEN ${deleted} THEN 1 ELSE 0 END AS deleted`, ...fields, ...keys];
  return `SELECT ${columns.join(', ')} FROM "${model.table}" ORDER BY mark`;
}

export function selectLinks(
  relation: { readonly name: string; readonly to: number },
  { model, app, world }: Place & { readonly model: WorldModel },
): string {
  const { table, column, targetColumn } = linksOf(app, model.name, relation.name);
  const target = world.models.find(({ id }) => id === relation.to)?.name ?? '';
  const mark = (type: string, key: string) => {
    const there = modelOf(app, type);
    return `(SELECT mark FROM "${there.table}" AS side WHERE side."${columnOf(there, 'id')}" = link."${key}")`;
  };
  return `SELECT ${mark(model.name, column)} AS here, ${mark(target, targetColumn)} AS there FROM "${table}" AS link ORDER BY 1, 2`;
}

/** As `selectRows` returns it. */
export function textOf(value: Value | null, { type }: WorldField, world: World): string | null {
  if (value === null) return null;
  if (type.kind === 'enum') return valueName(world, type.of, value) ?? 'no value';
  if (type.kind === 'bytes') return Buffer.from(String(value), 'base64').toString('hex');
  const isJson = type.kind === 'json' || typeof value === 'object';
  return isJson ? JSON.stringify(value) : String(value);
}

const stamp = `'2026-01-02T03:04:05.678Z'`;

function literal(value: Value | null, field: WorldField, { app, world }: Place): string {
  const text = textOf(value, field, world);
  const { type } = field;
  if (text === null) return 'NULL';
  if (type.kind === 'bytes') return app.database === 'sqlite' ? `X'${text}'` : `'\\x${text}'`;
  if (app.database === 'postgres' && typeof value === 'object') return arraySql(value ?? [], type);
  if (app.database === 'sqlite' && type.kind === 'bool') return value === true ? '1' : '0';
  if (app.database === 'sqlite' && type.kind === 'decimal')
    return text.replace('.', '').replace(/^(-?)0+(?=\d)/, '$1');
  return /^(int|bigint|float|decimal|bool)$/.test(type.kind)
    ? text
    : `'${text.replaceAll("'", "''")}'`;
}

function idOf(app: App, type: string, mark: number): string {
  const model = modelOf(app, type);
  return `(SELECT "${columnOf(model, 'id')}" FROM "${model.table}" AS found WHERE found.mark = ${mark})`;
}

function uuidOf(mark: number): string {
  return `01941f29-7c00-7000-8000-${String(mark).padStart(12, '0')}`;
}

export function modelOf(app: App, type: string): Model {
  return found(app.models.find(({ names }) => names.type === type));
}

function columnOf(model: Model, field: string): string {
  return found<Field>(model.fields.find(({ name }) => name === field)).column;
}

function linksOf(app: App, type: string, relation: string) {
  const links = modelOf(app, type).relations.find(({ name }) => name === relation);
  if (links?.kind !== 'links') throw new Error(`${type}.${relation} links nothing`);
  return links;
}

function found<T>(thing: T | undefined): T {
  if (thing === undefined) throw new Error('not found');
  return thing;
}

function arraySql(items: readonly (string | number)[], { kind }: WorldField['type']): string {
  const isText = kind === 'string[]';
  const texts = items.map((it) => (isText ? `'${String(it).replaceAll("'", "''")}'` : String(it)));
  return `ARRAY[${texts.join(', ')}]::${isText ? 'text[]' : 'integer[]'}`;
}
