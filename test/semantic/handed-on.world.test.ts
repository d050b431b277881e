import { beforeAll, describe, expect, test } from 'vitest';
import { findSemanticConflicts } from '../../src/commands/regenerate/semantic/conflicts.ts';
import { renameUses } from '../../src/commands/regenerate/carry-out.ts';
import { planRegeneration } from '../../src/project/regeneration.ts';
import { installedProject, planned, textAfter } from '../support/changed-project.ts';
import { wishFor } from '../project/support/project.ts';

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

const fields: Change = [
  (text) =>
    text.replace(
      '      drug: string(1..80)\n      dose: string(1..160)',
      '      dose: { type: string(1..80), was: drug }\n      drug: { type: string(1..160), was: dose }',
    ),
  [
    ['row.dose', 'row.drug'],
    ['row.drug +', 'row.dose +'],
    ['{ state, drug, dose }', '{ state, dose: drug, drug: dose }'],
    ["'prescriptions.dose', 'drug as name'", "'prescriptions.drug', 'dose as name'"],
  ],
  [9, 13, 17, 23],
];

const values: Change = [
  (text) =>
    text
      .replace('[open, done]', '[{ value: done, was: open }, { value: open, was: done }]')
      .replace('= open', '= done'),
  [
    ["state === 'open'", "state === 'done'"],
    ["'=', 'done'", "'=', 'open'"],
  ],
  [13],
];

const models: Change = [
  (text) =>
    text
      .replace('  Lot:\n', '  Keep:\n    was: Lot\n')
      .replace('  Bottle:\n', '  Lot:\n    was: Bottle\n')
      .replace('  Keep:\n', '  Bottle:\n'),
  [
    [
      "{ findLot, listLots } from './lots/queries.ts'",
      "{ findBottle, listBottles } from './bottles/queries.ts'",
    ],
    ["{ Lot } from './lots/schema.ts'", "{ Bottle } from './bottles/schema.ts'"],
    [
      "{ Bottle } from './bottles/schema.ts';\nimport type { Prescription",
      "{ Lot } from './lots/schema.ts';\nimport type { Prescription",
    ],
    ['lot: Lot', 'lot: Bottle'],
    ["selectFrom('lots').select(['lots.drug'", "selectFrom('bottles').select(['bottles.drug'"],
    ['findLot, listLots };', 'findLot: findBottle, listLots: listBottles };'],
    ['readonly Bottle[]', 'readonly Lot[]'],
  ],
  [7, 9, 17, 23],
];

type Change = readonly [
  change: (text: string) => string,
  expected: readonly (readonly [string, string])[],
  /** Lines that say such a name still. */
  listed: readonly number[],
];

describe('--codemod where names swap, with a compiler', () => {
  let folder = '';

  beforeAll(async () => {
    folder = await installedProject(schema, { [place]: report });
  });

  test.each<[string, Change]>([
    ['two fields that another model has, too', fields],
    ['two values', values],
    ['two models', models],
  ])('%s', async (_, [change, expected, listed]) => {
    const after = change(schema);
    const run = await planned(folder, after, []);
    const { hazards } = run.regeneration;
    const accepted = hazards.map(({ code, target }) => `${code}:${target}`);
    const wish = wishFor(after, { accepted });
    const { regeneration, left = [] } = await renameUses(
      run.project,
      run.regeneration,
      signal,
      (third) => planRegeneration(run.project, wish, third),
    );
    const text = await textAfter({ ...run, regeneration }, place);
    expect(text).toBe(
      expected.reduce((result, [from, to]) => {
        expect(report).toContain(from);
        return result.replace(from, to);
      }, report),
    );
    const { conflicts } = await findSemanticConflicts(run.project, regeneration, signal, left);
    expect(conflicts).toEqual([]);
    // No compiler knows whether these are the owner's own; the lines are listed.
    expect([...new Set(left.map(({ line }) => line))]).toEqual(listed);
  });
});
