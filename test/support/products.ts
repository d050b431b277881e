import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { root } from './root.ts';

const folder = join(root, 'fixtures/access/products');

export const products: readonly string[] = readdirSync(folder)
  .toSorted()
  .map((file) => file.replace('.yaml', ''));

export function schemaOfProduct(name: string): string {
  return readFileSync(join(folder, `${name}.yaml`), 'utf8');
}

/** The models of that many products side by side, the first of them again after the last. */
export function productsTogether(count = products.length): string {
  const models: Record<string, unknown> = {};
  const enums: Record<string, unknown> = {};
  const roles = new Set<string>();
  const fields: Record<string, unknown> = {};
  const read = new Set<string>(['self']);
  for (let at = 0; at < count; at++) {
    const product: Product = parse(lettered(products[at % products.length] ?? '', at));
    const { User: user, ...others } = product.models;
    Object.assign(models, others);
    Object.assign(enums, product.enums);
    Object.assign(fields, user?.fields);
    for (const role of product.auth?.roles ?? []) roles.add(role);
    for (const rule of user?.access?.read ?? []) read.add(rule);
  }
  return stringify({
    version: 1,
    app: { name: 'products' },
    auth: { roles: [...roles] },
    enums,
    models: { User: { fields, access: { read: [...read], refer: 'authenticated' } }, ...models },
  });
}

interface Product {
  readonly auth?: { readonly roles: readonly string[] };
  readonly enums?: object;
  readonly models: Readonly<Record<string, Model>>;
}

interface Model {
  readonly fields?: object;
  readonly access?: { readonly read: readonly string[] };
}

/** Models and enums get a letter at the end, so that those of another product are others. */
function lettered(name: string, at: number): string {
  const text = schemaOfProduct(name);
  const { models, enums = {} }: Product = parse(text);
  const names = [...Object.keys(models), ...Object.keys(enums)].filter((each) => each !== 'User');
  const letter = String.fromCodePoint('A'.charCodeAt(0) + at);
  return text.replaceAll(new RegExp(String.raw`\b(?:${names.join('|')})\b`, 'g'), `$&${letter}`);
}
