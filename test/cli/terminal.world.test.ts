import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { scratchFolder } from '../support/scratch.ts';
import { fakeNpm } from './fake-npm.ts';
import { listing } from './listing.ts';
import { controlC, enter, onTerminal } from './pseudo-terminal.ts';
import { program } from './scaffold.ts';

const scaffold = `"${process.execPath}" "${program}"`;
const folderQuestion = { when: 'Project folder', type: enter };
const schemaQuestion = { when: 'Start from', type: enter };
const escape = '\u001b';
const up = `${escape}[A`;
const down = `${escape}[B`;
const backspace = '\u007f';
const schoolSchema =
  'version: 1\napp: { name: school }\nmodels: { Room: { fields: { name: string } } }\n';
const color = new RegExp(`${escape}\\[[0-9;]*m`);

let cwd = '';
let env = {};
beforeEach(async () => {
  cwd = await scratchFolder('cli-terminal');
  env = await fakeNpm(await scratchFolder('cli-npm'));
});

describe('on a terminal, scaffold new', () => {
  test('asks two questions, with answers that Enter takes', async () => {
    const reactions = [folderQuestion, schemaQuestion];
    const { code, stdout } = await onTerminal(`${scaffold} new`, { cwd, env, reactions });
    expect(code).toBe(0);
    expect(listing(join(cwd, 'my-api'))).toContain('node_modules');
    expect(
      stdout.match(/^.*\?.*$/gm)?.filter((line) => line.includes('Project folder')),
    ).not.toEqual([]);
    expect(stdout).toMatch(/✓.*dependencies.* s/);
  });

  test('takes the answers that are typed', async () => {
    const reactions = [
      { ...folderQuestion, type: `shop-api${enter}` },
      { ...schemaQuestion, type: `${down}${enter}` },
    ];
    expect((await onTerminal(`${scaffold} new`, { cwd, env, reactions })).code).toBe(0);
    expect(listing(join(cwd, 'shop-api/src'))).toContain('orders');
  });

  test('asks again for a folder that is not empty, and offers the schema files that are here', async () => {
    await mkdir(join(cwd, 'taken'));
    await writeFile(join(cwd, 'taken/notes.txt'), '');
    await writeFile(join(cwd, 'school.yaml'), schoolSchema);
    const reactions = [
      { ...folderQuestion, type: `taken${enter}` },
      { when: 'is not empty', type: `${backspace.repeat(5)}school${enter}` },
      { ...schemaQuestion, type: `${up}${enter}` },
    ];
    expect((await onTerminal(`${scaffold} new`, { cwd, env, reactions })).code).toBe(0);
    expect(listing(join(cwd, 'school/src'))).toContain('rooms');
  });

  test('a dumb terminal asks again as well, and takes the number of a choice', async () => {
    await mkdir(join(cwd, 'taken'));
    await writeFile(join(cwd, 'taken/notes.txt'), '');
    const typing = {
      cwd,
      env: { ...env, TERM: 'dumb' },
      reactions: [
        { ...folderQuestion, type: `taken${enter}` },
        { when: 'is not empty', type: `shop-api${enter}` },
        { when: 'Number (1)', type: `7${enter}` },
        { when: 'Number (1)', type: `2${enter}` },
      ],
    };
    expect((await onTerminal(`${scaffold} new`, typing)).code).toBe(0);
    expect(listing(join(cwd, 'shop-api/src'))).toContain('orders');
  });

  test('asks only for what is not said', async () => {
    const reactions = [schemaQuestion];
    const { code, stdout } = await onTerminal(`${scaffold} new named`, { cwd, env, reactions });
    expect(code).toBe(0);
    expect(stdout).not.toContain('Project folder');
  });

  test.each([
    'new my-api --example blog',
    'new --yes',
    'new my-api --no-git',
    'new my-api --pm npm',
  ])('asks nothing: %s', async (args) => {
    const { code, stdout } = await onTerminal(`${scaffold} ${args}`, { cwd, env });
    expect(code).toBe(0);
    expect(stdout).not.toContain('?');
  });

  test.each(['new --no-input', 'new --example blog', 'new --json'])(
    'fails when the folder is missing and it may not ask: %s',
    async (args) => {
      const { code, stdout } = await onTerminal(`${scaffold} ${args}`, { cwd, env });
      expect(code).toBe(2);
      expect(stdout).toContain('`[dir]`');
      expect(listing(cwd)).toEqual([]);
    },
  );

  test('does not ask in CI', async () => {
    const { code } = await onTerminal(`${scaffold} new`, { cwd, env: { ...env, CI: 'true' } });
    expect(code).toBe(2);
  });

  test.each([
    ['the first question', [{ ...folderQuestion, type: controlC }]],
    ['the second question', [folderQuestion, { ...schemaQuestion, type: controlC }]],
  ])('Ctrl-C at %s has status 130 and writes nothing', async (_, reactions) => {
    const { code, stdout } = await onTerminal(`${scaffold} new`, { cwd, env, reactions });
    expect(code).toBe(130);
    expect(stdout).toContain('Cancelled. Nothing was written.');
    expect(listing(cwd)).toEqual([]);
  });
});

describe('colours and cursor codes', () => {
  const reactions = [folderQuestion, schemaQuestion];

  test('are there on a terminal', async () => {
    const { stdout } = await onTerminal(`${scaffold} new`, { cwd, env, reactions });
    expect(stdout).toMatch(color);
  });

  test.each([
    ['NO_COLOR', { NO_COLOR: '1' }, ''],
    ['--no-color', {}, ' --no-color'],
    ['FORCE_COLOR=0', { FORCE_COLOR: '0' }, ''],
  ])('%s takes the colours away, from the questions too', async (_, extra, flag) => {
    const typing = { cwd, env: { ...env, ...extra }, reactions };
    const { code, stdout } = await onTerminal(`${scaffold} new${flag}`, typing);
    expect(code).toBe(0);
    expect(stdout).not.toMatch(color);
  });

  test('a dumb terminal gets neither, and its questions can be answered', async () => {
    const typing = { cwd, env: { ...env, TERM: 'dumb' }, reactions };
    const { code, stdout } = await onTerminal(`${scaffold} new`, typing);
    expect(code).toBe(0);
    expect(stdout).not.toContain(escape);
  });

  test('a dumb terminal can cancel', async () => {
    const typing = {
      cwd,
      env: { ...env, TERM: 'dumb' },
      reactions: [{ ...folderQuestion, type: controlC }],
    };
    expect((await onTerminal(`${scaffold} new`, typing)).code).toBe(130);
    expect(listing(cwd)).toEqual([]);
  });

  test('questions are seen when standard error goes to a file', async () => {
    const { code } = await onTerminal(`${scaffold} new 2> /dev/null`, { cwd, env, reactions });
    expect(code).toBe(0);
  });
});
