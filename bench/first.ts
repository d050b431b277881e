import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../test/support/root.ts';
import { must } from '../test/support/run.ts';
import { scratchFolder } from '../test/support/scratch.ts';
import { clone, startNew, stranger } from '../test/support/stranger.ts';
import { report } from './report.ts';

/** The first hour of somebody who clones this repository: until a server answers, and what was installed for it. */
export async function first(): Promise<void> {
  const warm = await stranger(process.execPath);
  // What it takes to have all of it in the cache: not measured.
  const { program } = await clone(warm, { forTests: false });
  await (await startNew(program, warm, await scratchFolder('first'))).stop();
  const cold = await stranger(process.execPath, { npm_config_cache: await scratchFolder('cache') });
  const warnings: string[] = [];
  for (const [name, person, bar] of [
    ['fresh clone to first answer', warm, 25],
    ['the same with an empty npm cache', cold, 75],
  ] as const) {
    const begin = performance.now();
    const cloned = await clone(person, { forTests: false });
    const server = await startNew(cloned.program, person, await scratchFolder('first'));
    reportSeconds(name, (performance.now() - begin) / 1000, bar);
    await server.stop();
    warnings.push(...cloned.warnings, ...server.warnings);
  }
  const server = await startNew(join(root, 'bin/scaffold.js'), warm, await scratchFolder('first'));
  await server.stop();
  reportSeconds('`new` to first answer', server.seconds, 12);
  await reportProject(server.project);
  report({
    name: 'lines of npm that warn',
    found: String(warnings.length),
    bar: '0',
    ok: warnings.length === 0,
  });
}

async function reportProject(project: string): Promise<void> {
  const modules = join(project, 'node_modules');
  const { stdout } = await must('du', ['-sm', modules], { cwd: project });
  const megabytes = Number.parseInt(stdout, 10);
  report({
    name: 'node_modules of a blog',
    found: `${megabytes} MB`,
    bar: '≤ 120 MB',
    ok: megabytes <= 120,
  });
  const lock: { packages: object } = JSON.parse(
    await readFile(join(modules, '.package-lock.json'), 'utf8'),
  );
  const packages = Object.keys(lock.packages).length;
  report({ name: 'packages', found: String(packages), bar: '≤ 130', ok: packages <= 130 });
  const files = await readdir(project, { recursive: true, withFileTypes: true });
  const shown = files.filter(
    (file) =>
      file.isFile() &&
      !/[\\/](\.|node_modules|var)/.test(
        join('/', file.parentPath.slice(project.length), file.name),
      ),
  ).length;
  report({ name: 'files of a blog', found: String(shown), bar: '≤ 115', ok: shown <= 115 });
}

function reportSeconds(name: string, seconds: number, bar: number): void {
  report({ name, found: `${seconds.toFixed(1)} s`, bar: `≤ ${bar} s`, ok: seconds <= bar });
}
