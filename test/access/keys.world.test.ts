import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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
import { emit } from '../support/emit.ts';
import { misformatted } from '../support/formatted.ts';
import { withOtherKeys } from '../support/other-keys.ts';
import { products, productsTogether } from '../support/products.ts';
import { root } from '../support/root.ts';
import { must } from '../support/run.ts';
import { say } from '../support/say.ts';
import { oneChecker } from '../support/type-check.ts';

/** Ids in columns of other names: nobody who asks may notice. */
describe.each(engines)('with keys of other names on %s', (engine) => {
  test.each(products)('%s answers as the oracle does', async (name) => {
    expect(await differences(await product(name, engine, withOtherKeys), engine)).toBe('');
  });

  test('worlds that are drawn answer so', async () => {
    say(`keys of other names: SEED=${seed} on ${engine}`);
    const folder = await drawn(seed, engine, { count: 25, changes: 40 }, withOtherKeys);
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

  test('products side by side compile, are formatted, and pass their own tests', async () => {
    const text = withOtherKeys(productsTogether());
    const { folder } = await emitted(text, engine);
    await must('node_modules/.bin/tsc', ['--noEmit', ...oneChecker], { cwd: folder });
    await must('node_modules/.bin/oxlint', ['--deny-warnings'], { cwd: folder });
    expect(await misformatted(emit(`${text}database: ${engine}\n`))).toEqual([]);
    expect(await failures(folder, engine)).toBe('');
  });
});
