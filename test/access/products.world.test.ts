import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  asItIs,
  differences,
  drawn,
  emitted,
  engines,
  failures,
  product,
  seed,
  tenants,
} from '../support/access.ts';
import { emit } from '../support/emit.ts';
import { misformatted } from '../support/formatted.ts';
import { withOtherKeys } from '../support/other-keys.ts';
import { products, productsTogether } from '../support/products.ts';
import { root } from '../support/root.ts';
import { must } from '../support/run.ts';
import { say } from '../support/say.ts';
import { isDeep, trials } from '../support/trials.ts';
import { oneChecker } from '../support/type-check.ts';

/** Ids in columns with other names: clients must not notice. */
const spellings = [
  ['as they are', asItIs],
  ['with keys of other names', withOtherKeys],
] as const;

/** Each product on one engine as it is and on the other with other keys; before a release, both on both. */
const productsIn = (engine: number, spelling: number) =>
  products.filter((_, at) => isDeep || (at + engine + spelling) % 2 === 0);

/** The number of worlds whose keys have other names; `worlds.world.test.ts` draws those with the usual ones. */
const worlds = trials({ quick: 4, full: 4, deep: 25 });

const combinations = engines.flatMap((engine, at) =>
  spellings.map(([name, revise], spelling) => ({
    name,
    engine,
    revise,
    names: productsIn(at, spelling),
    isTaken: isDeep || at === spelling,
  })),
);

describe.each(combinations)('$name, on $engine', ({ engine, revise, names, isTaken }) => {
  test.each(names)('%s answers as the oracle does', async (name) => {
    expect(await differences(await product(name, engine, revise), engine)).toBe('');
  });

  test.runIf(isTaken)('members of a tenant are checked before and after a write', async () => {
    const folder = await tenants(engine, revise);
    expect(await failures(folder, engine, 'test/members.test.ts')).toBe('');
  });

  describe.runIf(isTaken)('all products side by side', () => {
    const text = revise(productsTogether());
    let folder: string;

    beforeAll(async () => {
      folder = (await emitted(text, engine)).folder;
    });

    test('compile, and are formatted', async () => {
      await must('node_modules/.bin/tsc', ['--noEmit', ...oneChecker], { cwd: folder });
      await must('node_modules/.bin/oxlint', ['--deny-warnings'], { cwd: folder });
      expect(await misformatted(emit(`${text}database: ${engine}\n`))).toEqual([]);
    });

    test('pass their own tests', async () => {
      expect(await failures(folder, engine)).toBe('');
    });
  });
});

describe.each(engines)('with keys of other names on %s', (engine) => {
  test('worlds that are drawn answer as the oracle does', async () => {
    say(`keys of other names: SEED=${seed} on ${engine}`);
    const folder = await drawn(seed, engine, { count: worlds, changes: 40 }, withOtherKeys);
    expect(await differences(folder, engine), `of SEED=${seed}`).toBe('');
  });

  // With the usual names, on SQLite: `models.world.test.ts`.
  test.runIf(isDeep || engine === 'postgres')('ids of every kind lead to their rows', async () => {
    const text = withOtherKeys(readFileSync(join(root, 'fixtures/keys/schema.yaml'), 'utf8'));
    const { folder } = await emitted(text, engine);
    await cp(join(root, 'fixtures/keys/keys.test.ts'), join(folder, 'test/keys.test.ts'));
    expect(await failures(folder, engine)).toBe('');
  });
});
