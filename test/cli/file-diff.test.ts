import { expect, test } from 'vitest';
import { printCommand } from '../../src/commands/regenerate/command-text.ts';
import { printFileDiff } from '../../src/commands/regenerate/file-diff.ts';

const change = { action: 'update', reason: '', mode: '644', conflicts: [] } as const;

test('the diff of `.env` shows no secret', () => {
  const before = 'AUTH_SECRET_KEY=0123456789abcdef\nPORT=3000\n';
  const diff = printFileDiff({
    ...change,
    path: '.env',
    before,
    after: `${before}MAIL_FROM=a@b.test\n`,
  });
  expect(diff).toBe('# .env gets\n#   MAIL_FROM=a@b.test\n');
});

test('a change that writes nothing has no diff', () => {
  const before = 'export {};\n';
  const skipped = { ...change, action: 'skip', path: 'src/a.ts' } as const;
  expect(printFileDiff({ ...skipped, before, after: before })).toBe('');
  expect(printFileDiff(skipped)).toBe('');
});

test('the command to paste has what was typed, quoted for a shell', () => {
  const typed = {
    dir: 'my api',
    rename: ['Post.title=heading'],
    restore: ['src/**'],
    codemod: true,
  };
  expect(printCommand(typed, ['--accept', 'SCF412:Post.sub'])).toBe(
    "npx scaffold regenerate 'my api' --rename Post.title=heading --restore 'src/**' --codemod --accept SCF412:Post.sub",
  );
});
