import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { formats, keywords } from '../src/lib/types.ts';
import { startTestApp } from './app.ts';
import { readDocument } from './document.ts';

const api = await startTestApp();
const document = readDocument(api.app);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);

/** Every schema of the document is answered with a client's own answers in all other tests: `test/document.ts`. */
describe('the OpenAPI document', () => {
  it('is served as version 3.1', async () => {
    const response = await api.nobody.get('/openapi.json');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual(document);
    expect(document.openapi).toMatch(/^3\.1\./);
  });

  it('names each operation once, with a summary and a tag', () => {
    const named = operations.filter(({ operationId }) => operationId !== undefined);
    expect(new Set(named.map(({ operationId }) => operationId)).size).toBe(named.length);
    for (const { path, method, summary, tags } of named) {
      expect([path, method, typeof summary, tags?.length]).toEqual([path, method, 'string', 1]);
    }
  });

  it('declares every part of an address as a parameter', () => {
    for (const { path, parameters = [] } of operations) {
      const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = parameters.filter((each) => each.in === 'path').map(({ name }) => name);
      expect([path, declared]).toEqual([path, parts]);
    }
  });

  it('holds nothing but schemas that are schemas', () => {
    const ajv = new Ajv2020({ strict: false });
    const schemas = operations.flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ content = {} }) => Object.values(content)),
    );
    for (const media of schemas) {
      expect(ajv.validateSchema('schema' in media ? Object(media.schema) : {})).toBe(true);
    }
  });

  it('has no reference to nothing', () => {
    const text = JSON.stringify(document);
    for (const [, pointer = ''] of text.matchAll(/"\$ref":"#([^"]+)"/g)) {
      const found = pointer
        .split('/')
        .slice(1)
        .reduce<unknown>((part, name) => Object(part)[name], document);
      expect([pointer, typeof found]).toEqual([pointer, 'object']);
    }
  });

  it('shows a list with few parameters', () => {
    for (const { path, method, parameters = [] } of operations) {
      expect([path, method, parameters.length <= 10]).toEqual([path, method, true]);
    }
  });

  it('gives examples that fit', () => {
    const ajv = new Ajv2020({
      strict: false,
      validateSchema: false,
      formats,
      keywords: [...keywords],
    });
    ajv.addFormat('password', true);
    ajv.addSchema(document, 'document');
    const shapes = [...shapesIn(document)];
    expect(shapes.length).toBeGreaterThan(5);
    for (const { pointer, examples } of shapes) {
      const validate = ajv.getSchema(`document#${pointer}`);
      for (const example of examples) validate?.(example);
      expect([pointer, validate?.errors ?? null]).toEqual([pointer, null]);
    }
  });

  it('is read on a page', async () => {
    const response = await api.nobody.get('/docs/');
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toContain('text/html');
  });
});

interface Shape {
  readonly pointer: string;
  readonly examples: readonly unknown[];
}

/** Each schema of an object that says what such an object may look like. */
function* shapesIn(part: unknown, pointer = ''): Generator<Shape> {
  if (typeof part !== 'object' || part === null) return;
  if ('properties' in part && 'examples' in part && Array.isArray(part.examples)) {
    yield { pointer, examples: part.examples };
  }
  for (const [name, inner] of Object.entries(part)) {
    const step = encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
    yield* shapesIn(inner, `${pointer}/${step}`);
  }
}
