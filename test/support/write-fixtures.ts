import { rm, writeFile } from 'node:fs/promises';
import { buildRunner, runnerFile } from '../../runner/build.ts';
import { engines } from '../../src/types/field-type.ts';
import { writeMigrationCases } from '../evolve/migration-cases.ts';
import { writeImportFixtures } from '../import/import-fixtures.ts';
import { writeProblemFixtures } from '../problems-fixtures.ts';
import { writeRegenerateCases } from '../regenerate/support/write-cases.ts';
import { editorSchemaFile, editorSchemaText } from '../schema/editor-schema.ts';
import { writeReferencePage } from '../schema/reference-page.ts';
import { writeFiles } from './emit.ts';
import { goldenApps } from './golden-apps.ts';
import { openRecipe, saveRecipe } from './recipe.ts';
import { recipeNames } from './recipes.ts';
import { scratchFolder } from './scratch.ts';

/** Everything that is written by the program and committed, for people to read and tests to compare with. */
const writers: Readonly<Record<string, () => void | Promise<void>>> = {
  runner: writeRunners,
  apps: writeGoldenApps,
  problems: writeProblemFixtures,
  imports: writeImportFixtures,
  editor: writeEditorSchema,
  reference: writeReferencePage,
  migrations: writeMigrationCases,
  regenerate: writeRegenerateCases,
  recipes: writeRecipes,
};

// npm run fixtures [name…]: writes them anew. Read what git shows then; it is what users will get.
const scratch = await scratchFolder('fixtures');
process.env['TEST_FOLDER'] = scratch;
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(writers);
for (const name of names) {
  const write = writers[name];
  if (write === undefined)
    throw new Error(`No fixtures ${name}: there are ${Object.keys(writers).join(', ')}.`);
  await write();
  process.stdout.write(`${name}: written\n`);
}
await rm(scratch, { recursive: true });

async function writeRunners(): Promise<void> {
  for (const engine of engines) {
    for (const [name, text] of await buildRunner(engine))
      await writeFile(runnerFile(engine, name), text);
  }
}

/** For schemas that have no project yet. */
async function writeEditorSchema(): Promise<void> {
  await writeFile(editorSchemaFile, editorSchemaText());
}

async function writeRecipes(): Promise<void> {
  const failures: string[] = [];
  for (const name of recipeNames) {
    await openRecipe(name).then(
      () => saveRecipe(name),
      (error: Error) => failures.push(error.message),
    );
  }
  if (failures.length > 0) throw new Error(failures.join('\n'));
}

async function writeGoldenApps(): Promise<void> {
  for (const { folder, render } of goldenApps) {
    const files = render();
    await rm(folder, { recursive: true, force: true });
    await writeFiles(folder, files);
  }
}
