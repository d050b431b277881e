import { describe, expect, test } from 'vitest';
import { differences, emitted, engines, failures, product, tenants } from '../support/access.ts';
import { products, productsTogether } from '../support/products.ts';

describe.each(engines)('on %s', (engine) => {
  test.each(products)('%s answers as the oracle does', async (name) => {
    expect(await differences(await product(name, engine), engine)).toBe('');
  });

  test('members of a tenant are asked for before and after a write', async () => {
    expect(await failures(await tenants(engine), engine, 'test/members.test.ts')).toBe('');
  });
});

test('the own tests of all products side by side pass', async () => {
  const { folder } = await emitted(productsTogether(), 'sqlite');
  expect(await failures(folder, 'sqlite')).toBe('');
});
