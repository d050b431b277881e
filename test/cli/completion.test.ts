import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { run } from '../support/run.ts';
import { scaffold } from './scaffold.ts';

const here = { cwd: tmpdir() };

test.each([
  [['c'], ['check', 'completion']],
  [['re'], ['regenerate', 'resolve']],
  [
    ['regenerate', '--on-conflict', ''],
    ['markers', 'ours', 'theirs', 'fail'],
  ],
  [
    ['regen', '--on-conflict', ''],
    ['markers', 'ours', 'theirs', 'fail'],
  ],
  [['regen', '--und'], ['--undo']],
  [
    ['explain', 'SCF10'],
    ['SCF101', 'SCF102', 'SCF103', 'SCF104', 'SCF105', 'SCF106', 'SCF107', 'SCF108', 'SCF109'],
  ],
  [['resolve', '--e'], ['--edited']],
  [['new', '--ex'], ['--example']],
  [
    ['new', '--example', ''],
    ['blog', 'shop', 'minimal'],
  ],
  [['new', '--database', 'p'], ['postgres']],
  [['completion', 'z'], ['zsh']],
])('bash completes scaffold %j', async (words, expected) => {
  const { stdout } = await scaffold(['completion', 'bash'], here);
  const line = ['scaffold', ...words].map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _scaffold; echo "\${COMPREPLY[*]}"`;
  const completed = await run('bash', ['-c', `${stdout}\n${ask}`], here);
  expect(completed).toEqual({ code: 0, stdout: expected.join(' '), stderr: '' });
});

test('zsh and fish get scripts with every command', async () => {
  for (const shell of ['zsh', 'fish']) {
    const { code, stdout } = await scaffold(['completion', shell], here);
    expect(code).toBe(0);
    for (const command of ['new', 'regenerate', 'check', 'resolve', 'explain', 'completion'])
      expect(stdout).toContain(command);
  }
});
