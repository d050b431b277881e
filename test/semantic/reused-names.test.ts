import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { collectMisfits } from '../../src/commands/regenerate/semantic/misfits.ts';
import { withOwnerCode } from '../../src/commands/regenerate/semantic/owner-code.ts';
import { newProject, planned } from '../support/changed-project.ts';

const { signal } = new AbortController();

const schema = `version: 1
app: { name: clinic }
enums:
  State: [open, done]
models:
  Prescription:
    fields:
      drug: string(1..80)
      dose: string(1..160)
      note: text?
      state: State = open
  Lot:
    fields:
      drug: string(1..80)
  Bottle:
    fields:
      size: int
`;

const report = `import { database } from './elsewhere.ts';
import type { Prescription } from './prescriptions/schema.ts';

export function check(row: Prescription, dose: string) {
  const { drug, dose: amount } = row;
  if (row.dose === '0') throw new Error('no dose');
  return { drug, dose, amount, key: pick('prescriptions.dose'), order: '-drug', state: 'open' };
}
`;

const relations = `import type { Bottle } from './bottles/schema.ts';

export function keepers(row: Bottle) {
  return [row.owner_id, row.holder_id];
}

export const filter = { include: 'owner' };
`;

/** Lots have a drug too. */
const lots = `export const names = (lots: { drug: string }[]) => lots.map(({ drug }) => drug);\n`;

async function found(
  change: (text: string) => string,
  files: Readonly<Record<string, string>>,
  renames: readonly string[] = [],
) {
  const folder = await newProject(schema, files);
  const run = await planned(folder, change(schema), renames);
  const { uses = [] } = await withOwnerCode(run.project, run.regeneration, signal, (code) =>
    collectMisfits(code, run.regeneration),
  );
  return uses.map(({ path, line, column, reused: { word, newName } }) =>
    [`${path}:${line}:${column}`, word, newName ?? 'gone'].join(' '),
  );
}

const swapped = (text: string) =>
  text.replace(
    '      drug: string(1..80)\n      dose: string(1..160)',
    [
      '      dose: { type: string(1..80), was: drug }',
      '      drug: { type: string(1..160), was: dose }',
    ].join('\n'),
  );

const place = 'src/report.ts';

const withRemark = (text: string) => text.replace('note: text?', 'remark: text?\n      note: int?');

const withValuesSwapped = (text: string) =>
  text.replace('[open, done]', '[{ value: done, was: open }, { value: open, was: done }]');

const withModelsSwapped = (text: string) =>
  text
    .replace('  Lot:\n', '  Keep:\n    was: Lot\n')
    .replace('  Bottle:\n', '  Lot:\n    was: Bottle\n')
    .replace('  Keep:\n', '  Bottle:\n');

const withMore = (text: string) => text.replace('note: text?', 'note: text?\n      more: int?');

describe('names that mean something else now', () => {
  test('two fields that swap: every line of the owner’s that has one of their words', async () => {
    expect(await found(swapped, { [place]: report, 'src/lots.ts': lots })).toEqual([
      `${place}:4:42 dose drug`,
      `${place}:5:11 drug dose`,
      `${place}:5:17 dose drug`,
      `${place}:6:11 dose drug`,
      `${place}:7:12 drug dose`,
      `${place}:7:18 dose drug`,
    ]);
  });

  test('in a generated file, only the lines of the owner', async () => {
    const routes = 'src/prescriptions/routes.ts';
    const rendered = await newProject(schema, {});
    const own = 'export const isNone = (it: { dose: string }) => it.dose === String(0);\n';
    const text = readFileSync(join(rendered, routes), 'utf8') + own;
    const uses = await found(swapped, { [routes]: text });
    const line = text.split('\n').length - 1;
    expect(uses).toEqual([`${routes}:${line}:30 dose drug`]);
  });

  test('nothing in a generated file that only has another layout', async () => {
    const file = 'src/prescriptions/schema.ts';
    const rendered = await newProject(schema, {});
    const text = readFileSync(join(rendered, file), 'utf8');
    const wide = text.replace(/\{\n {4}[^{}]*?\n {2}\}/g, (part) => part.replace(/\s+/g, ' '));
    expect(wide).not.toBe(text);
    expect(await found(swapped, { [file]: wide.replaceAll("'", '"') })).toEqual([]);
  });

  test('a text of SQL, which no compiler rejects', async () => {
    const own = "export const text = 'select p.dose from prescriptions p';\n";
    expect(await found(swapped, { [place]: own })).toEqual([`${place}:1:31 dose drug`]);
  });

  test('a name that is passed on to a new field', async () => {
    const own = 'export const length = (it: { note: string }) => it.note.length;\n';
    expect(await found(withRemark, { [place]: own }, ['Prescription.note=remark'])).toEqual([
      `${place}:1:30 note remark`,
    ]);
  });

  test('two values that swap', async () => {
    const uses = await found((text) => withValuesSwapped(text).replace('= open', '= done'), {
      [place]: report,
    });
    expect(uses).toEqual([`${place}:7:89 open done`]);
  });

  test('two relations that swap', async () => {
    const keepers = schema.replace(
      '      size: int\n',
      '      size: int\n    relations:\n      owner: User\n      holder: User\n',
    );
    const after = keepers.replace(
      '      owner: User\n      holder: User\n',
      '      holder: { to: User, was: owner }\n      owner: { to: User, was: holder }\n',
    );
    const own = "export const shown = '/api/bottles/?fields=owner.name,holder.name';\n";
    const folder = await newProject(keepers, { [place]: `${relations}${own}` });
    const run = await planned(folder, after, []);
    const { uses = [], mentions } = await withOwnerCode(
      run.project,
      run.regeneration,
      signal,
      (code) => collectMisfits(code, run.regeneration),
    );
    expect(uses.map(({ line, reused }) => `${line} ${reused.word}`)).toEqual([
      '4 owner_id',
      '4 holder_id',
      '7 owner',
      '8 owner',
      '8 holder',
    ]);
    expect(mentions).toEqual([]);
  });

  test('two models that swap', async () => {
    const own = "import { findLot } from './lots/queries.ts';\nexport const get = findLot;\n";
    expect(await found(withModelsSwapped, { [place]: own })).toEqual([
      `${place}:1:10 Lot Bottle`,
      `${place}:1:28 lots bottles`,
      `${place}:2:20 Lot Bottle`,
    ]);
  });

  test('nothing is reported where no name is passed on', async () => {
    expect(await found(withMore, { [place]: report })).toEqual([]);
  });
});
