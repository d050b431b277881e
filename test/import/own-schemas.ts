import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { withOtherKeys } from '../support/other-keys.ts';
import { root } from '../support/root.ts';

const products = 'fixtures/access/products';

/** Schemas that come back complete from a database or from Prisma. */
export const ownSchemas: readonly string[] = [
  ...['apps/minimal', 'apps/blog', 'apps/every-type', 'keys', 'models'].map(
    (name) => `fixtures/${name}/schema.yaml`,
  ),
  'templates/examples/shop.yaml',
  ...readdirSync(join(root, products)).map((name) => `${products}/${name}`),
];

export const asItIs = (text: string) => text;

/** Some of them again, with ids in columns with other names. */
export const ownWithOtherKeys = ['keys', 'models', 'access/products/shop'].map(
  (name) =>
    [
      `fixtures/${name.includes('/') ? `${name}.yaml` : `${name}/schema.yaml`}`,
      withOtherKeys,
    ] as const,
);
