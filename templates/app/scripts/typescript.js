import * as module from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Runs a TypeScript program: `node scripts/typescript.js src/cli.ts status`. */
process.argv.splice(1, 1);
const [, program = ''] = process.argv;
if (process.features.typescript) {
  module.enableCompileCache();
} else {
  // Before Node 22.18 TypeScript is read by hooks in another thread, which are asked for every module after them.
  if (program.startsWith('src/')) {
    await Promise.all(['fastify', 'kysely', 'typebox'].map((name) => import(name)));
  }
  await import('@oxc-node/core/register');
}
await import(pathToFileURL(resolve(program)).href);
