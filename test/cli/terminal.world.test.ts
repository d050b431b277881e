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
const down = `${escape}[B`;
const backspace = '\u007f';
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

  test('asks again for a folder that is not empty', async () => {
    await mkdir(join(cwd, 'taken'));
    await writeFile(join(cwd, 'taken/notes.txt'), '');
    const reactions = [
      { ...folderQuestion, type: `taken${enter}` },
      { when: 'is not empty', type: `${backspace.repeat(5)}school${enter}` },
      schemaQuestion,
    ];
    expect((await onTerminal(`${scaffold} new`, { cwd, env, reactions })).code).toBe(0);
    expect(listing(join(cwd, 'school/src'))).toContain('posts');
  });

  test('asks only for what is not given', async () => {
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
  ])('%s removes the colours, from the questions too', async (_, extra, flag) => {
    const typing = { cwd, env: { ...env, ...extra }, reactions };
    const { code, stdout } = await onTerminal(`${scaffold} new${flag}`, typing);
    expect(code).toBe(0);
    expect(stdout).not.toMatch(color);
  });

  test.each([
    ['a dumb terminal', { TERM: 'dumb' }, ''],
    ['a terminal whose standard error goes to a file', {}, ' 2> error.log'],
  ])('%s gets neither, and is asked nothing', async (_, extra, more) => {
    const typing = { cwd, env: { ...env, ...extra }, reactions: [] };
    const { code, stdout } = await onTerminal(`${scaffold} new${more}`, typing);
    expect(code).toBe(2);
    expect(stdout).not.toContain(escape);
  });
});
