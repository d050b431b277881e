import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildApp } from '../../src/model/build.ts';
import { renderProject } from '../../src/project/render-project.ts';
import { parseSchema } from '../../src/schema/parse.ts';

// node --import @oxc-node/core/register test/support/render-app.ts <schema.yaml> <folder> [sqlite|postgres]
const [schemaFile = '', folder = '', engine] = process.argv.slice(2);
const text = readFileSync(schemaFile, 'utf8');
const parsed = parseSchema(text, schemaFile);
if (!parsed.schema) {
  throw new Error(parsed.problems.map(({ code, message }) => `${code} ${message}`).join('\n'));
}
const app = buildApp(parsed.schema);
const files = renderProject(
  engine === 'sqlite' || engine === 'postgres' ? { ...app, database: engine } : app,
  text,
);
for (const { path, content } of files) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}
process.stdout.write(`${files.length} files in ${folder}\n`);
