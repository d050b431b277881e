import { expect, test } from 'vitest';
import { accessNotes } from '../../src/commands/access.ts';
import { buildApp } from '../../src/model/build.ts';
import { parseSchema } from '../../src/schema/parse.ts';

const text = `version: 1
app: { name: tenants }
enums: { MemberRole: [member, owner] }
models:
  Team:
    fields: { name: string(1..80) }
    members: { member: { by: Seat, first: owner } }
    access: { create: authenticated, read: member, update: member(owner) }
  Seat:
    fields: { role: MemberRole = member }
    relations: { user: User, team: Team }
    access: { all: via team.update }
`;

const notes = (after: string, before = text) => accessNotes(appOf(before), appOf(after));

function appOf(schema: string) {
  const parsed = parseSchema(schema);
  if (parsed.schema === undefined) throw new Error('The schema is refused.');
  return buildApp(parsed.schema);
}

test('a role that is new counts where the word stands alone', () => {
  expect(notes(text.replace('[member, owner]', '[guest, member, owner]'))).toEqual([
    {
      code: 'SCF518',
      severity: 'warning',
      message:
        'Whoever is `guest` in `Team` will count as `member` there, and be admitted to list, read, refer: these rules name no roles.',
      help: 'Where that is too many, name them: `member(member, owner)`.',
    },
  ]);
});

test.each([
  [
    'a role that has another name',
    text.replace('[member,', '[{ value: guest, was: member },').replace('= member', '= guest'),
  ],
  ['a role that is gone', text.replace('[member, owner]', '[owner]').replace(' = member', '')],
  [
    'a role that no rule admits without its name',
    text
      .replace('read: member,', 'read: "member(member, owner)",')
      .replace('[member, owner]', '[guest, member, owner]'),
  ],
])('%s is no reason to warn', (_, after) => {
  expect(notes(after).filter(({ severity }) => severity === 'warning')).toEqual([]);
});
