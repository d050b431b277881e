import { expect, test } from 'vitest';
import { isConflict } from '../../src/merge/markers.ts';
import { markOwnerEdits } from '../../src/merge/owner-edits.ts';

const base = 'export function isGood(text: string) {\n  return text.length > 7;\n}\n';
const ours = base.replace('7', '11');
const moved = { path: 'src/lib/types.ts', content: base.replace('7', '8') };
const user = {
  path: 'src/auth/login.ts',
  content: "import { isGood } from '../lib/types.ts';\n\nexport const login = isGood('');\n",
};

test('an edit in a declaration that moved names the file that has it, and shows it', async () => {
  const files = { successors: [user], others: [user, moved] };
  const conflicts = (await markOwnerEdits('ts', { base, ours }, files)).filter(isConflict);
  expect(conflicts).toMatchObject([
    { where: [{ name: ['isGood'] }], now: moved.path, theirs: moved.content },
  ]);
});

test('a declaration that another file does not export is not taken for it', async () => {
  const own = { path: 'src/other.ts', content: base.replace('export ', '') };
  const files = { successors: [user], others: [own] };
  const conflicts = (await markOwnerEdits('ts', { base, ours }, files)).filter(isConflict);
  expect(conflicts).toMatchObject([{ where: [{ name: ['isGood'] }], theirs: '' }]);
  expect(conflicts[0]?.now).toBeUndefined();
});
