import { Ajv, type ValidateFunction } from 'ajv';
import * as fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { buildJsonSchema } from '../../src/schema/json-schema.ts';
import { modelKeys } from '../../src/schema/keys/model.ts';
import { topKeys } from '../../src/schema/keys/top.ts';
import { fieldKeys } from '../../src/schema/keys/field-keys.ts';
import { relationKeys } from '../../src/schema/keys/relation.ts';
import { schemaExplanations } from '../support/explanations.ts';
import { legalSchema } from '../support/legal/schema.ts';
import { editorSchemaFile, editorSchemaText } from './editor-schema.ts';
import { searchSeed, trials } from '../support/trials.ts';
import { problemFixtures, runProblemFixture } from '../problems-fixtures.ts';

const schema = buildJsonSchema();
const accepts: ValidateFunction = new Ajv({
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
}).compile(schema);

test('docs/schema.v1.json is up to date', () => {
  expect(readFileSync(editorSchemaFile, 'utf8')).toBe(editorSchemaText());
});

test('it knows the keys that the parser knows', () => {
  const { definitions } = JSON.parse(JSON.stringify(schema));
  expect(Object.keys(JSON.parse(JSON.stringify(schema)).properties)).toEqual(Object.keys(topKeys));
  expect(Object.keys(definitions.model.properties)).toEqual(Object.keys(modelKeys));
  expect(Object.keys(definitions.field.anyOf[2].properties)).toEqual(Object.keys(fieldKeys));
  expect(Object.keys(definitions.relation.anyOf[2].properties)).toEqual(Object.keys(relationKeys));
});

test('every key says what it is for', () => {
  const silent: string[] = [];
  const visit = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('properties' in node) {
      for (const [key, property] of Object.entries(node.properties ?? {})) {
        const isReference = typeof property === 'object' && property !== null && '$ref' in property;
        const isTold =
          typeof property === 'object' && property !== null && 'description' in property;
        if (!isTold && !isReference) silent.push(`${path}.${key}`);
      }
    }
    for (const [key, value] of Object.entries(node)) visit(value, `${path}.${key}`);
  };
  visit(schema, '');
  expect(silent).toEqual([]);
});

describe('what is legal is accepted', () => {
  const folder = new URL('../../templates/examples/', import.meta.url);

  test.each(readdirSync(folder))('the example %s', (file) => {
    expectAccepted(readFileSync(new URL(file, folder), 'utf8'));
  });

  test.each(schemaExplanations)('the good example of %s', (code, { good }) => {
    if (code !== 'SCF112')
      expectAccepted(good.includes('version:') ? good : `version: 1\napp: { name: blog }\n${good}`);
  });

  test('any legal schema', () => {
    fc.assert(
      fc.property(legalSchema(), ({ text }) => expectAccepted(text)),
      { numRuns: trials({ quick: 20, full: 60, deep: 2000 }), seed: searchSeed() },
    );
  });
});

describe('what has a wrong key, kind or form is refused', () => {
  const shapeCodes = ['SCF102', 'SCF103', 'SCF105', 'SCF119', 'SCF203'];
  const wrong = problemFixtures
    .map(runProblemFixture)
    .filter(({ problems }) => problems.some(({ code }) => shapeCodes.includes(code)))
    .filter(({ problems }) =>
      problems.every(({ code }) => !['SCF101', 'SCF106', 'SCF117'].includes(code)),
    );

  test('there are such cases', () => expect(wrong.length).toBeGreaterThan(12));

  test.each(wrong)('$name', ({ text }) => expect(accepts(parse(text) ?? null)).toBe(false));
});

function expectAccepted(text: string): void {
  expect(accepts(parse(text)) ? [] : accepts.errors).toEqual([]);
}
