import { expect, test } from 'vitest';
import type { Element } from '../../src/project/plan/elements.ts';
import { mergeFile } from '../../src/project/plan/merge-file.ts';

const access: Element = {
  name: 'Appointment.access',
  model: 'Appointment',
  words: new Set(['appointmentPolicy', 'admin', 'role']),
  isAccess: true,
};
const password: Element = { name: 'User.password', model: 'User', words: new Set(['password']) };

/** What the conflict is said to come from, where one line of a file that no model has is `theirs` now. */
async function causesOf(theirs: string, elements: readonly Element[], model?: string) {
  const file = {
    id: 'src/emails.ts',
    path: 'src/emails.ts',
    mode: '644',
    content: `send(${theirs});\n`,
    kind: 'ts',
    policy: 'merged',
    ...(model !== undefined && { model }),
  } as const;
  const names = { everywhere: new Map(), inModel: new Map(), ofModels: new Map() };
  const renamed = { ...names, unchanged: new Set<string>() };
  const texts = { base: `send('an admin', 'reset');\n`, mine: `send('mine');\n` };
  const { conflicts } = await mergeFile(file, texts, { elements, renamed, onConflict: 'markers' });
  return conflicts.flatMap((it) => it.elements);
}

test('the only thing that changed is the cause, also where no word speaks of it', async () => {
  expect(await causesOf(`'once'`, [password])).toEqual(['User.password']);
  expect(await causesOf(`'once'`, [password], 'Appointment')).toEqual(['User.password']);
});

test('nothing that only changed beside it is named', async () => {
  expect(await causesOf(`'an admin', 'once'`, [access, password])).toEqual([]);
  expect(await causesOf(`'an admin', 'password'`, [access, password])).toEqual(['User.password']);
});

test('words of access count where they are what changed', async () => {
  expect(await causesOf(`'a role', 'reset'`, [access, password])).toEqual(['Appointment.access']);
});
