import { join } from 'node:path';
import { root } from '../test/support/root.ts';
import { must } from '../test/support/run.ts';
import { scratchFolder } from '../test/support/scratch.ts';
import { writeFile } from 'node:fs/promises';
import { median } from './compare.ts';
import { report } from './report.ts';

/** `scaffold new` as a process, without installing: start, parse, render, write. */
export async function emit(): Promise<void> {
  for (const [models, bar] of [
    [5, 500],
    [100, 1500],
    [1000, 10_000],
  ] as const) {
    const schema = join(await scratchFolder('emit'), 'schema.yaml');
    await writeFile(schema, schemaOf(models));
    const times: number[] = [];
    for (let round = 0; round < 3; round++) times.push(await timeOfNew(schema));
    const found = median(times);
    report({
      name: `emit ${models} models`,
      found: `${Math.round(found)} ms`,
      bar: `≤ ${bar} ms`,
      ok: found <= bar,
    });
  }
}

async function timeOfNew(schema: string): Promise<number> {
  const folder = join(await scratchFolder('emit'), 'out');
  const options = ['--schema', schema, '--yes', '--no-install', '--no-git'];
  const start = performance.now();
  await must(process.execPath, [join(root, 'bin/scaffold.js'), 'new', folder, ...options], {
    cwd: root,
  });
  return performance.now() - start;
}

function schemaOf(models: number): string {
  return `version: 1\napp: { name: many }\nmodels:${Array.from({ length: models }, model).join('')}\n`;
}

function model(_: unknown, at: number): string {
  return `
  Thing${at}:
    owner: maker
    fields: { title: string(1..80), body: text?, price: 'decimal(10,2) = 0', due: datetime? index }
    relations: { maker: User${at === 0 ? '' : `, previous: Thing${at - 1}?`} }`;
}
