import { describe, expect, test } from 'vitest';
import { acceptanceKey, needsAcceptance } from '../../src/evolve/hazards/hazard.ts';
import { tablesSql } from '../../src/evolve/initial.ts';
import {
  evolveCase,
  migrationCases,
  type Outcome,
  printCase,
  readCase,
} from './migration-cases.ts';
import type { Operation } from './operations.ts';
import { openStore } from './support/open-store.ts';
import { type Store, tablesOf } from './support/store.ts';
import type { Engine } from '../../src/types/field-type.ts';

test.each(migrationCases)('$what: as in fixtures/migrations', (operation) => {
  expect(printCase(operation)).toEqual(readCase(operation.folder));
});

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  test.each(migrationCases)('$what', async (operation) => {
    const outcome = evolveCase(operation, engine);
    const { before, after, migration, changes, hazards } = outcome;
    expect(untold(outcome)).toEqual([]);
    const store = await openStore(engine);
    await store.run(tablesSql(before));
    for (const row of operation.rows) await store.run(row);

    const risks: string[] = [];
    for (const hazard of hazards.filter(({ kind }) => kind !== 'locks')) {
      const key = acceptanceKey(hazard);
      const [row] = hazard.count === undefined ? [] : await store.rows(hazard.count);
      risks.push(row === undefined ? key : `${key} ${Object.values(row).join()}`);
    }
    expect(risks).toEqual(operation.hazards ?? []);
    expect(migration.id).toBe(`0002_${operation.name}`);

    const was = await store.introspect();
    const files = await tableFiles(store, engine);
    if (operation.stops) {
      await expect(store.apply(migration)).rejects.toThrow(/^SCF\d+:.* concerns \d+ rows$/);
      expect(await store.introspect()).toEqual(was);
      expect(await resultOf(store, operation)).toEqual(texts(operation.result));
    } else {
      await store.apply(migration);
      const now = await tableFiles(store, engine);
      const isRewritten = [...files].some(([oid, file]) => now.has(oid) && now.get(oid) !== file);
      // New ids are written beside the old ones, but under a lock, too.
      const isRekeyed = engine === 'postgres' && changes.some(({ kind }) => kind === 'change_id');
      expect(hazards.some(({ code }) => code === 'SCF431')).toBe(isRewritten || isRekeyed);
      const made = await tablesOf(() => openStore(engine), tablesSql(after));
      expect(await store.introspect()).toEqual(made);
      expect(await resultOf(store, operation)).toEqual(texts(operation.result));
      const isReversible = migration.files['down.sql'] !== undefined;
      expect(isReversible).toBe(operation.down ?? false);
      if (isReversible) {
        if (operation.keeps !== undefined) {
          const result = await resultOf(store, operation);
          await expect(store.apply(migration, 'down.sql')).rejects.toThrow(operation.keeps);
          expect(await resultOf(store, operation)).toEqual(result);
          await store.run('DELETE FROM notes');
        }
        await store.apply(migration, 'down.sql');
        expect(await store.introspect()).toEqual(was);
      }
    }
    await store.close();
  });
});

/** Changes, and risks that have to be accepted, that the SQL does not mention. */
function untold({ migration, changes, hazards }: Outcome): readonly string[] {
  const sql = migration.files['up.sql'].replaceAll(/\n--\s+/g, ' ');
  const risks = hazards.filter(needsAcceptance).map((hazard) => `${acceptanceKey(hazard)}: `);
  return [...changes.map(({ sentence }) => sentence), ...risks].filter(
    (note) => !sql.includes(note),
  );
}

/** PostgreSQL's own numbers of tables, and of the files that hold them: a rewritten table gets another file. */
async function tableFiles(store: Store, engine: Engine): Promise<ReadonlyMap<unknown, unknown>> {
  if (engine === 'sqlite') return new Map();
  const rows = await store.rows(
    `SELECT oid, relfilenode FROM pg_class WHERE relkind = 'r' AND relnamespace = quote_ident(current_schema())::regnamespace`,
  );
  return new Map(rows.map(({ oid, relfilenode }) => [oid, relfilenode]));
}

async function resultOf(store: Store, { query }: Operation) {
  const rows = await store.values(query);
  return texts(rows);
}

function texts(rows: readonly (readonly unknown[])[]): readonly (readonly (string | null)[])[] {
  return rows.map((row) => row.map((value) => (value === null ? null : String(value))));
}
