import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  differences,
  drawn,
  emitted,
  engines,
  failures,
  product,
  seed,
  tenants,
} from '../support/access.ts';
import type { Engine } from '../support/built-app.ts';
import { emit } from '../support/emit.ts';
import { misformatted } from '../support/formatted.ts';
import { withOtherKeys } from '../support/other-keys.ts';
import { products, productsTogether } from '../support/products.ts';
import { root } from '../support/root.ts';
import { must } from '../support/run.ts';
import { say } from '../support/say.ts';
import { isDeep, trials } from '../support/trials.ts';
import { oneChecker } from '../support/type-check.ts';

/** On one engine in turn; before a release, on both. As they are, each is asked on both: `products.world.test.ts`. */
const productsOn = (engine: Engine) =>
  products.filter((_, at) => isDeep || engines[at % engines.length] === engine);

/** Each is a world with other names in it; how many are drawn as they are: `worlds.world.test.ts`. */
const worlds = trials({ quick: 4, full: 4, deep: 25 });

/** Ids in columns of other names: nobody who asks may notice. */
describe.each(engines)('with keys of other names on %s', (engine) => {
  test.each(productsOn(engine))('%s answers as the oracle does', async (name) => {
    expect(await differences(await product(name, engine, withOtherKeys), engine)).toBe('');
  });

  test('worlds that are drawn answer so', async () => {
    say(`keys of other names: SEED=${seed} on ${engine}`);
    const folder = await drawn(seed, engine, { count: worlds, changes: 40 }, withOtherKeys);
    expect(await differences(folder, engine), `of SEED=${seed}`).toBe('');
  });

  test('members of a tenant are asked for before and after a write', async () => {
    const folder = await tenants(engine, withOtherKeys);
    expect(await failures(folder, engine, 'test/members.test.ts')).toBe('');
  });

  test('ids of every kind lead to their rows', async () => {
    const text = withOtherKeys(readFileSync(join(root, 'fixtures/keys/schema.yaml'), 'utf8'));
    const { folder } = await emitted(text, engine);
    await cp(join(root, 'fixtures/keys/keys.test.ts'), join(folder, 'test/keys.test.ts'));
    expect(await failures(folder, engine)).toBe('');
  });

  describe('products side by side', () => {
    const text = withOtherKeys(productsTogether());
    let folder: string;

    beforeAll(async () => {
      folder = (await emitted(text, engine)).folder;
    });

    test('compile, and are formatted', async () => {
      await must('node_modules/.bin/tsc', ['--noEmit', ...oneChecker], { cwd: folder });
      await must('node_modules/.bin/oxlint', ['--deny-warnings'], { cwd: folder });
      expect(await misformatted(emit(`${text}database: ${engine}\n`))).toEqual([]);
    });

    // Those on SQLite are run with the keys as they are: `products.world.test.ts`.
    test.runIf(isDeep || engine === 'postgres')('pass their own tests', async () => {
      expect(await failures(folder, engine)).toBe('');
    });
  });
});
