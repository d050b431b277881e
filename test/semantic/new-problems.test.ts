import { expect, test } from 'vitest';
import { makeNewProblemFinder } from '../../src/commands/regenerate/semantic/new-problem-finder.ts';
import type { TypeCheck } from '../../src/system/project-compiler.ts';
import { planned, newProject } from '../support/changed-project.ts';

const schema =
  'version: 1\napp: { name: notes }\nmodels:\n  Note:\n    fields:\n      text: string\n';
const path = 'src/mine.ts';
const message = "Cannot find module '#lib/rows.ts'.";
const before = "import { findRow, listRows, type Row } from '#lib/rows.ts';\nconst one = 1;\n";

/** What is new in a file, of which a compiler says the same about a line before and after. */
async function listNew(after: string, line: number) {
  const folder = await newProject(schema, { [path]: before });
  const run = await planned(folder, schema, []);
  const check: TypeCheck = async (texts) => {
    const column = (texts.get(path) ?? before).split('\n')[line - 1]?.indexOf("'#lib") ?? 0;
    return [{ path, line: texts.size > 0 ? line : 1, column, code: 'TS2307', message }];
  };
  const find = makeNewProblemFinder(check, run.project, run.regeneration);
  return find(new Map([[path, after]]));
}

test('an error that was there is not reported again when its line was edited', async () => {
  const edited = before.replace(', listRows', '');
  expect(await listNew(edited, 1)).toEqual([]);
  expect(await listNew(`// Mine.\n${edited}`, 2)).toEqual([]);
});

test('the same error in another line is reported', async () => {
  const other = "const one = 1;\nexport const rows = await import('#lib/rows.ts');\n";
  expect(await listNew(other, 2)).toMatchObject([{ line: 2 }]);
});

test('a file that does not parse with the new side of its conflicts does not keep others from being checked', async () => {
  const folder = await newProject(schema, {});
  const { project, regeneration } = await planned(folder, schema, []);
  const [open, marked] = ['src/app.ts', '<<<<<<< yours\n{\n=======\n{\n>>>>>>> scaffold (Note)\n'];
  const conflict = { where: '', line: 1, base: '', ours: '{', theirs: '{', elements: [] };
  const change = { path: open, action: 'merge', reason: '', mode: '644', after: marked } as const;
  const changes = [{ ...change, conflicts: [conflict] }];
  const plan = { ...regeneration.plan, changes };
  const check: TypeCheck = async (texts) => {
    const isBroken = texts.get(open)?.includes('{\n\n') ?? false;
    const syntax = { path: open, line: 1, column: 1, code: 'TS1005', message: "'}' expected." };
    const other = { path, line: 1, column: 1, code: 'TS2307', message };
    return isBroken ? [syntax] : texts.size > 0 ? [other] : [];
  };
  const find = makeNewProblemFinder(check, project, { ...regeneration, plan });
  expect(await find(new Map([[open, marked]]))).toMatchObject([{ path, code: 'TS2307' }]);
});
