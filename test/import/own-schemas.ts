import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/root.ts';

const products = 'fixtures/access/products';

/** Those that come back whole, by way of a database or of Prisma. */
export const ownSchemas: readonly string[] = [
  ...['apps/minimal', 'apps/blog', 'apps/every-type', 'keys', 'models'].map(
    (name) => `fixtures/${name}/schema.yaml`,
  ),
  'templates/examples/shop.yaml',
  ...readdirSync(join(root, products)).map((name) => `${products}/${name}`),
];
