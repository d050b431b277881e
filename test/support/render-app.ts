import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withDatabase } from '../../src/commands/edit-schema.ts';
import { emit, writeFiles } from './emit.ts';

// node --import @oxc-node/core/register test/support/render-app.ts <schema.yaml> <folder> [sqlite|postgres]
const [file = '', folder = '', engine] = process.argv.slice(2);
const given = { text: await readFile(file, 'utf8'), file };
const isEngine = engine === 'sqlite' || engine === 'postgres';
const files = emit(isEngine ? withDatabase(given, engine).text : given.text);
const kept = new Set(['.env', 'dist', 'node_modules', 'package-lock.json', 'var']);
for (const name of await readdir(folder).catch(() => [])) {
  if (!kept.has(name)) await rm(join(folder, name), { recursive: true });
}
await writeFiles(folder, files);
process.stdout.write(`${files.length} files in ${folder}\n`);
