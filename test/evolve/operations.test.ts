import { describe, expect, test } from 'vitest';
import { acceptanceKey } from '../../src/evolve/hazard.ts';
import { initialMigration } from '../../src/evolve/initial.ts';
import { migrate } from '../../src/evolve/migrate.ts';
import { carryIds } from '../../src/model/carry.ts';
import { parseRename } from '../../src/model/rename.ts';
import { type Operation, operations } from './operations.ts';
import { appOf } from './support/app-of.ts';
import { openStore } from './support/open-store.ts';

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  test.each(operations)('$what', async (operation) => {
    const before = appOf(operation.before, engine);
    const told = (operation.renames ?? []).flatMap((text) => parseRename(text) ?? []);
    const after = carryIds(before, appOf(operation.after, engine), told);
    const evolved = migrate(before, after, { sequence: 2, parent: '0001_initial' });
    if (evolved === undefined) throw new Error('nothing to migrate');
    const { migration, hazards } = evolved;
    const store = await openStore(engine);
    await store.run(initialMigration(before).files['up.sql']);
    for (const row of operation.rows) await store.run(row);

    const risks = hazards
      .filter(({ kind }) => kind !== 'locks')
      .map(async (hazard) => {
        const key = acceptanceKey(hazard);
        if (hazard.count === undefined) return key;
        const [row] = await store.rows(hazard.count);
        return `${key} ${Object.values(row ?? {}).join()}`;
      });
    expect(await Promise.all(risks)).toEqual(operation.hazards ?? []);
    expect(migration.id).toBe(`0002_${operation.name}`);

    const was = await store.introspect();
    if (operation.stops) {
      await expect(store.apply(migration)).rejects.toThrow(/^SCF\d+:.* concerns \d+ rows$/);
      expect(await store.introspect()).toEqual(was);
      expect(await resultOf(store, operation)).toEqual(texts(operation.result));
    } else {
      await store.apply(migration);
      const fresh = await openStore(engine);
      await fresh.run(initialMigration(after).files['up.sql']);
      expect(await store.introspect()).toEqual(await fresh.introspect());
      expect(await resultOf(store, operation)).toEqual(texts(operation.result));
      await fresh.close();
      const isReversible = migration.files['down.sql'] !== undefined;
      expect(isReversible).toBe(operation.down ?? false);
      if (isReversible) {
        await store.apply(migration, 'down.sql');
        expect(await store.introspect()).toEqual(was);
      }
    }
    await store.close();
  });
});

async function resultOf(store: Awaited<ReturnType<typeof openStore>>, { query }: Operation) {
  const rows = await store.values(query);
  return texts(rows);
}

function texts(rows: readonly (readonly unknown[])[]): readonly (readonly (string | null)[])[] {
  return rows.map((row) => row.map((value) => (value === null ? null : String(value))));
}
