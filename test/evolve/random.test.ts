import { sample } from 'fast-check';
import { expect, test } from 'vitest';
import { makeInitialMigration } from '../../src/evolve/initial.ts';
import { tablesByVersion } from '../../src/schema/internal-tables.ts';
import { buildApp } from '../../src/model/build.ts';
import { snapshotShape, snapshotApp } from '../../src/model/snapshot.ts';
import { parseSchema } from '../../src/schema/parse.ts';
import { legalSchema } from '../support/legal/schema.ts';
import { searchSeed, trials } from '../support/trials.ts';
import { openStore } from './support/open-store.ts';
import type { Engine } from '../../src/types/field-type.ts';

/** `SEED=… npx vitest run test/evolve/random.test.ts` repeats a run. */
const seed = searchSeed();
/** The server's own tables. */
const [own = []] = tablesByVersion.slice(-1);
const count = trials({ quick: 6, full: 40, deep: 1000 });

test.each(['sqlite', 'postgres'] as const)(
  `random legal schemas become tables on %s`,
  async (engine) => {
    for (const { text, schema } of legalSchemas(engine)) {
      const where = `SEED=${seed}\n${text}`;
      const app = buildApp(schema);
      const { files } = makeInitialMigration(app, text);
      expect(makeInitialMigration(buildApp(schema), text).files, where).toEqual(files);
      const again = snapshotShape.parse(JSON.parse(JSON.stringify(snapshotApp(app))));
      expect(again, where).toEqual(app);
      const tables = app.models.length + app.joinTables.length + own.length;
      const store = await openStore(engine);
      await store.run(files['up.sql']).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${where}\n${files['up.sql']}`, { cause: error });
      });
      const [[made] = []] = await store.values(countTables[engine]);
      expect(Number(made), where).toBe(tables);
      await store.close();
    }
  },
);

const countTables: Readonly<Record<Engine, string>> = {
  sqlite: `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name <> 'sqlite_sequence'`,
  postgres: 'SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()',
};

/** `test/random.world.test.ts` tests what the rules refuse. */
function legalSchemas(engine: Engine) {
  const samples = sample(legalSchema(engine), { seed, numRuns: count });
  const legal = samples.flatMap(({ text }) => {
    const { schema } = parseSchema(text);
    return schema === undefined ? [] : [{ text, schema }];
  });
  expect(legal.length).toBeGreaterThan(count / 2);
  return legal;
}
