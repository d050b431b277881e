import { readdirSync, readFileSync, statSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../test/support/root.ts';
import { must } from '../test/support/run.ts';
import { scratchFolder } from '../test/support/scratch.ts';
import { median } from './compare.ts';
import { report } from './report.ts';

const models = 50;
const command = join(root, 'bin/scaffold.js');

/** The command as a process, on a project in which somebody has edited the queries and the routes of every model. */
export async function regenerate(): Promise<void> {
  const project = await makeProject();
  await reportIdle(project);
  await reportField(project);
}

async function reportIdle(project: string): Promise<void> {
  const before = stateOf(project);
  const times: number[] = [];
  for (let round = 0; round < 5; round++) times.push(await timeOf(project));
  const written = stateOf(project).filter((line, at) => line !== before[at]);
  const found = median(times);
  report({
    name: `regenerate ${models} edited models, nothing to do`,
    found: `${Math.round(found)} ms, ${written.length} files written or touched`,
    bar: '≤ 400 ms, 0',
    ok: found <= 400 && written.length === 0,
  });
}

/** Each time in a copy, because the second run would have nothing to do. */
async function reportField(project: string): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    const copy = join(await scratchFolder('bench-regenerate'), 'project');
    await cp(project, copy, { recursive: true, preserveTimestamps: true });
    await edit(join(copy, 'schema.yaml'), 'body: text?', 'body: text?, subtitle: string(1..80)?');
    times.push(await timeOf(copy));
    await expectField(copy);
  }
  const found = median(times);
  report({
    name: `regenerate ${models} edited models, one field added`,
    found: `${Math.round(found)} ms`,
    bar: '≤ 1500 ms',
    ok: found <= 1500,
  });
}

async function timeOf(project: string): Promise<number> {
  const start = performance.now();
  await must(process.execPath, [command, 'regenerate', project, '--no-input'], { cwd: root });
  return performance.now() - start;
}

async function makeProject(): Promise<string> {
  const folder = await scratchFolder('bench-regenerate');
  const [schema, project] = [join(folder, 'schema.yaml'), join(folder, 'project')];
  await writeFile(schema, schemaText());
  const options = ['--schema', schema, '--yes', '--no-install', '--no-git'];
  await must(process.execPath, [command, 'new', project, ...options], { cwd: root });
  for (let at = 0; at < models; at++) await editModel(join(project, 'src', `thing${at}s`));
  return project;
}

async function editModel(folder: string): Promise<void> {
  await edit(join(folder, 'queries.ts'), '\nexport function ', '\n/** Mine. */\nexport function ');
  await edit(
    join(folder, 'routes.ts'),
    '    return sendPage(reply, page);',
    "    request.log.debug('A page.');\n    return sendPage(reply, page);",
  );
  await edit(join(folder, 'schema.ts'), '    id: t.Id(),', '    // The key.\n    id: t.Id(),');
}

async function edit(file: string, find: string, by: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  if (!text.includes(find)) throw new Error(`${file} has no ${find}`);
  await writeFile(
    file,
    text.replace(find, () => by),
  );
}

async function expectField(project: string): Promise<void> {
  const text = await readFile(join(project, 'src/thing0s/schema.ts'), 'utf8');
  if (!/\/\/ The key\.[^]*subtitle/.test(text)) throw new Error('The field is not there.');
}

/** Every file with its content and its time. */
function stateOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((path) => ({ path, file: join(folder, path) }))
    .filter(({ file }) => statSync(file).isFile())
    .map(({ path, file }) => `${path} ${statSync(file).mtimeMs} ${readFileSync(file, 'utf8')}`);
}

function schemaText(): string {
  return `version: 1\napp: { name: many }\nmodels:${Array.from({ length: models }, modelText).join('')}\n`;
}

function modelText(_: unknown, at: number): string {
  return `
  Thing${at}:
    owner: maker
    fields: { title: string(1..80), body: text?, price: 'decimal(10,2) = 0', due: datetime? index }
    relations: { maker: User${at === 0 ? '' : `, previous: Thing${at - 1}?`} }`;
}
