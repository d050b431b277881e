import { expect, test } from 'vitest';
import { buildApp } from '../../src/model/build.ts';
import { renderApp } from '../../src/render/render.ts';
import { parseSchema } from '../../src/schema/parse.ts';

test.each([
  ['editor', "role: 'editor'"],
  ['admin', "role: 'admin'"],
  ['user', undefined],
  ['author', undefined],
])('a key called %s leads to users with %s', (name, role) => {
  const { schema } = parseSchema(
    `version: 1\napp: { name: a }\nauth: { roles: [editor] }\nmodels: { Post: { relations: { ${name}: User } } }`,
  );
  if (!schema) throw new Error('The schema is refused.');
  const [file] = renderApp(buildApp(schema), (id) => id === 'seeds/seed.ts');
  expect(/role: '\w+'/.exec(file?.content ?? '')?.[0]).toBe(role);
});
