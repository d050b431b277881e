import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { install } from '../test/support/install.ts';
import { root } from '../test/support/root.ts';
import { must } from '../test/support/run.ts';
import { scratchFolder } from '../test/support/scratch.ts';

export const command = join(root, 'bin/scaffold.js');

/**
 * A project whose owner has edited the queries, the routes and the schema of every model, and has code of their own that
 * uses fields; with its packages.
 */
export async function makeEditedProject(models: number): Promise<string> {
  const folder = await scratchFolder('bench-regenerate');
  const [schema, project] = [join(folder, 'schema.yaml'), join(folder, 'project')];
  await writeFile(schema, schemaText(models));
  const options = ['--schema', schema, '--yes', '--no-install', '--no-git'];
  await must(process.execPath, [command, 'new', project, ...options], { cwd: root });
  for (let at = 0; at < models; at++) await editModel(join(project, 'src', `thing${at}s`));
  await writeFile(join(project, 'src/report.ts'), reportText);
  await install(project);
  return project;
}

/** A field more of the first model. */
export async function addField(project: string): Promise<void> {
  await edit(join(project, 'schema.yaml'), 'body: text?', 'body: text?, subtitle: string(1..80)?');
}

export async function expectField(project: string): Promise<void> {
  const text = await readFile(join(project, 'src/thing0s/schema.ts'), 'utf8');
  if (!/\/\/ The key\.[^]*subtitle/.test(text)) throw new Error('The field is not there.');
}

async function editModel(folder: string): Promise<void> {
  await edit(join(folder, 'queries.ts'), '\nexport async ', '\n/** Mine. */\nexport async ');
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

const reportText = `import type { Database } from './database/client.ts';
import type { Thing0 } from './thing0s/schema.ts';

export function label({ title, price }: Thing0): string {
  return \`\${title} \${price}\`;
}

export function dueThings(database: Database) {
  return database.selectFrom('thing0s').select(['id', 'title', 'due']).orderBy('due').execute();
}
`;

function schemaText(models: number): string {
  return `version: 1\napp: { name: many }\nmodels:${Array.from({ length: models }, modelText).join('')}\n`;
}

function modelText(_: unknown, at: number): string {
  return `
  Thing${at}:
    owner: maker
    fields: { title: string(1..80), body: text?, price: 'decimal(10,2) = 0', due: datetime? index }
    relations: { maker: User${at === 0 ? '' : `, previous: Thing${at - 1}?`} }`;
}
