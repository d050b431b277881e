import { join } from 'node:path';
import { buildJsonSchema } from '../../src/schema/json-schema.ts';
import { root } from '../support/root.ts';

export const editorSchemaFile = join(root, 'docs/schema.v1.json');

export function editorSchemaText(): string {
  return `${JSON.stringify(buildJsonSchema(), null, 2)}\n`;
}
