import { beforeAll, describe, expect, test } from 'vitest';
import { collectMisfits } from '../../src/commands/regenerate/semantic/misfits.ts';
import { withOwnerCode } from '../../src/commands/regenerate/semantic/owner-code.ts';
import { renameUses } from '../../src/commands/regenerate/rename-uses.ts';
import { installedProject, planned, textAfter } from '../support/changed-project.ts';

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
      state: State = open
  Lot:
    fields:
      drug: string(1..80)
      dose: int
  Bottle:
    fields:
      size: int
`;

/** Each name has two meanings in it; another's fields, states and doors are called so, too. */
const report = `import type { Database } from './database/client.ts';
import { findLot, listLots } from './lots/queries.ts';
import type { Lot } from './lots/schema.ts';
import type { Bottle } from './bottles/schema.ts';
import type { Prescription } from './prescriptions/schema.ts';

export function check(row: Prescription, lot: Lot): string {
  if (row.dose === '0') throw new Error('no dose');
  return row.drug + lot.drug + String(lot.dose);
}

export function isOpen({ state, drug, dose }: Prescription, door: string) {
  return { open: state === 'open' && door === 'open', drug, dose };
}

export async function read(database: Database) {
  const lots = await database.selectFrom('lots').select(['lots.drug', 'dose']).execute();
  const rows = await database
    .selectFrom('prescriptions')
    .select(['prescriptions.dose', 'drug as name'])
    .where('state', '=', 'done')
    .execute();
  return { lots, rows, order: '-drug', findLot, listLots };
}

export const sizes = (all: readonly Bottle[]) => all.map(({ size }) => size);
`;

const place = 'src/report.ts';

type Change = (text: string) => string;

const fields: Change = (text) =>
  text.replace(
    '      drug: string(1..80)\n      dose: string(1..160)',
    '      dose: { type: string(1..80), was: drug }\n      drug: { type: string(1..160), was: dose }',
  );

const values: Change = (text) =>
  text
    .replace('[open, done]', '[{ value: done, was: open }, { value: open, was: done }]')
    .replace('= open', '= done');

const models: Change = (text) =>
  text
    .replace('  Lot:\n', '  Keep:\n    was: Lot\n')
    .replace('  Bottle:\n', '  Lot:\n    was: Bottle\n')
    .replace('  Keep:\n', '  Bottle:\n');

describe('--codemod with a compiler, where names swap that others have too', () => {
  let folder = '';

  beforeAll(async () => {
    folder = await installedProject(schema, { [place]: report });
  });

  test.each([
    ['two fields', fields, [8, 9, 12, 13, 17, 20, 23]],
    ['two values', values, [13, 21]],
    ['two models', models, [2, 3, 4, 7, 9, 17, 23, 26]],
  ])('%s: each line is listed, and none is changed', async (_, change, listed) => {
    const run = await planned(folder, change(schema), []);
    const regeneration = await withOwnerCode(run.project, run.regeneration, signal, (code) =>
      renameUses(code, run.regeneration),
    );
    expect(await textAfter({ ...run, regeneration }, place)).toBe(report);
    const { uses = [] } = await withOwnerCode(run.project, regeneration, signal, (code) =>
      collectMisfits(code, regeneration),
    );
    expect([...new Set(uses.map(({ line }) => line))]).toEqual(listed);
  });
});
