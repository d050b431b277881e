import { readFileSync } from 'node:fs';
import * as module from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Runs a TypeScript program: `node scripts/typescript.js src/cli.ts status`. */
process.argv.splice(1, 1);
const [, program = ''] = process.argv;
// Node reads TypeScript by itself from 22.18 on, but follows no `paths`: then, and before, hooks in another thread do.
if (process.features.typescript && !readFileSync('tsconfig.json', 'utf8').includes('"paths"')) {
  module.enableCompileCache();
} else {
  // The hooks are asked for every module after them: what a server loads most of comes before.
  if (program.startsWith('src/')) {
    await Promise.all(['fastify', 'kysely', 'typebox'].map((name) => import(name)));
  }
  await import('@oxc-node/core/register');
}
await import(pathToFileURL(resolve(program)).href);
