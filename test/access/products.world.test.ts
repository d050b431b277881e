import { describe, expect, test } from 'vitest';
import { differences, engines, failures, product, tenants } from '../support/access.ts';

const products = ['signing', 'surveys', 'school', 'shop', 'tracker'];

describe.each(products)('%s', (name) => {
  test.each(engines)('answers as the oracle does on %s', async (engine) => {
    const folder = await product(name, engine);
    expect(await differences(folder, engine)).toBe('');
  });

  test('its own tests pass', async () => {
    expect(await failures(await product(name, 'sqlite'), 'sqlite')).toBe('');
  });
});

describe.each(engines)('members of a tenant on %s', (engine) => {
  test('are asked for before and after a write', async () => {
    expect(await failures(await tenants(engine), engine, 'test/members.test.ts')).toBe('');
  });
});
