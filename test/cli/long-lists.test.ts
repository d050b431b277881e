import { expect, test } from 'vitest';
import { showPlan } from '../../src/commands/regenerate/show-plan.ts';
import { emptyPlan, type FileChange } from '../../src/project/plan.ts';
import { showChanges } from '../../src/terminal/report.ts';
import { recordingSession } from '../support/recording-session.ts';

/** What is printed on standard output. */
function shown(changes: readonly FileChange[]): readonly string[] {
  const { session, printed } = recordingSession('/project');
  showPlan(session.terminal, { plan: { ...emptyPlan, changes } }, {});
  return printed().stdout.split('\n');
}

function changesOf(action: FileChange['action'], paths: readonly string[]): readonly FileChange[] {
  return paths.map((path) => ({ path, action, reason: '', mode: '644', conflicts: [] }));
}

const many = (folder: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${folder}/file-${index}.ts`);

test('a list longer than a screen begins with how many files each thing happens to', () => {
  const changes = [
    ...changesOf('update', many('src/posts', 39)),
    ...changesOf('conflict', ['src/routes.ts']),
    ...changesOf('create', many('src/tags', 12)),
  ];
  const [first, second, ...list] = shown(changes);
  expect(first).toBe('52 files: 1 conflict, 39 update, 12 create');
  expect(second).toBe('');
  expect(list[0]).toBe('Project');
});

test('a list of a screen is shown as it is', () => {
  expect(shown(changesOf('update', many('src/posts', 50)))[0]).toBe('Project');
});

test('a model may have the name of a heading', () => {
  const named = (model: string) =>
    changesOf('create', [`src/${model.toLowerCase()}s/schema.ts`]).map((it) => ({ ...it, model }));
  const changes = [
    ...named('Project'),
    ...changesOf('create', ['migrations/0002_more/up.sql', 'package.json']),
    ...named('Database'),
  ];
  const { session, printed } = recordingSession('/project');
  const newMigration = { changes: [{ sentence: 'A table is new.' }] };
  showPlan(session.terminal, { plan: { ...emptyPlan, changes }, newMigration }, {});
  expect(
    printed()
      .stdout.split('\n')
      .map((line) => line.trim().replace(/ +/g, ' ')),
  ).toEqual([
    'Database',
    'create src/databases/schema.ts',
    '',
    'Project',
    'create src/projects/schema.ts',
    '',
    'Database',
    'A table is new.',
    'create migrations/0002_more/',
    '',
    'Project',
    'create package.json',
    '',
  ]);
});

test('folders may have spaces in their names', () => {
  const [one, two] = ['my lib/', 'my other lib/'];
  const { session, printed } = recordingSession('/project');
  const out = { ...session.terminal.out, isTerminal: true };
  showChanges({ ...session.terminal, out }, changesOf('create', [`${one}a.ts`, `${two}a.ts`]));
  expect(printed().stdout).toBe(
    [
      'create  my lib/                     1 file\n',
      'create  my other lib/               1 file\n',
    ].join(''),
  );
});
