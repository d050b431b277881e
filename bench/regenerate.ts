import { readdirSync, readFileSync, statSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../test/support/root.ts';
import { must } from '../test/support/run.ts';
import { scratchFolder } from '../test/support/scratch.ts';
import { median } from './compare.ts';
import { addField, command, expectField, makeEditedProject } from './edited-project.ts';
import { report } from './report.ts';

const models = 50;

/** The command as a process, on a project in which somebody has edited every model. */
export async function regenerate(): Promise<void> {
  const project = await makeEditedProject(models);
  await reportIdle(project);
  await reportField(project);
}

async function reportIdle(project: string): Promise<void> {
  const before = stateOf(project);
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    times.push(await timeOf([command, 'regenerate', project, '--no-input'], root));
  }
  const written = stateOf(project).filter((line, at) => line !== before[at]);
  const found = median(times);
  report({
    name: `regenerate ${models} edited models, nothing to do`,
    found: `${Math.round(found)} ms, ${written.length} files written or touched`,
    bar: '≤ 400 ms, 0',
    ok: found <= 400 && written.length === 0,
  });
}

/** Without packages nobody can look whether the code still fits; with them the project's compiler does. In turn. */
async function reportField(project: string): Promise<void> {
  const [unseen, seen, compiler]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < 5; round++) {
    unseen.push(await timeOfField(project, 'unseen'));
    seen.push(await timeOfField(project, 'seen'));
    compiler.push(await timeOf(['node_modules/typescript/bin/tsc', '--noEmit'], project));
  }
  reportTime('one field added, no packages installed', median(unseen));
  reportTime('one field added, packages installed', median(seen));
  report({
    name: 'the latter by `tsc --noEmit` of the project',
    found: `${(median(seen) / median(compiler)).toFixed(2)} × ${Math.round(median(compiler))} ms`,
  });
}

function reportTime(name: string, found: number): void {
  report({ name, found: `${Math.round(found)} ms`, bar: '≤ 1500 ms', ok: found <= 1500 });
}

/** Each time in a copy, because the second run would have nothing to do. */
async function timeOfField(project: string, kind: 'seen' | 'unseen'): Promise<number> {
  const copy = join(await scratchFolder('bench-regenerate'), 'project');
  await cp(project, copy, { recursive: true, preserveTimestamps: true });
  if (kind === 'unseen') await rm(join(copy, 'node_modules'));
  await addField(copy);
  const run = [command, 'regenerate', copy, '--no-input'];
  const time = await timeOf(run, root, (output) => {
    if (output.includes('not type-checked') !== (kind === 'unseen')) throw new Error(output);
  });
  await expectField(copy);
  return time;
}

async function timeOf(
  args: readonly string[],
  cwd: string,
  expect: (output: string) => void = () => undefined,
): Promise<number> {
  const start = performance.now();
  const { stderr } = await must(process.execPath, args, { cwd });
  const time = performance.now() - start;
  expect(stderr);
  return time;
}

/** Every file with its content and its time. */
function stateOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('node_modules'))
    .toSorted()
    .map((path) => ({ path, file: join(folder, path) }))
    .filter(({ file }) => statSync(file).isFile())
    .map(({ path, file }) => `${path} ${statSync(file).mtimeMs} ${readFileSync(file, 'utf8')}`);
}
