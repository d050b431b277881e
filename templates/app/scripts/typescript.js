import { existsSync, readFileSync } from 'node:fs';
import * as module from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Runs a TypeScript program: `node scripts/typescript.js src/cli.ts status`. */
process.argv.splice(1, 1);
const [, program = ''] = process.argv;
// From 22.18 on, Node reads TypeScript by itself, but not with `paths`: for those, and before, there are hooks in a thread.
if (process.features.typescript && !readFileSync('tsconfig.json', 'utf8').includes('"paths"')) {
  module.enableCompileCache();
} else {
  // Every module that is loaded after the hooks goes through them, so the largest ones are loaded before.
  if (program.startsWith('src/')) {
    await Promise.all(['fastify', 'kysely', 'typebox'].map((name) => import(name)));
  }
  await import('@oxc-node/core/register');
}
try {
  await import(pathToFileURL(resolve(program)).href);
} catch (error) {
  const open = conflicted();
  if (open.length === 0) throw error;
  console.error(`A conflict is open in ${open.join(', ')}: \`npx scaffold resolve\` shows it.`);
  process.exitCode = 1;
}

/** Files in which `scaffold regenerate` has left markers: they cannot be read until somebody has resolved them. */
function conflicted() {
  const list = '.scaffold/conflicts.json';
  if (!existsSync(list)) return [];
  const paths = JSON.parse(readFileSync(list, 'utf8')).files.map(({ path }) => path);
  return paths.filter((path) => existsSync(path) && /^<{7} /m.test(readFileSync(path, 'utf8')));
}
