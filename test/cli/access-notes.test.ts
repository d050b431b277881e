import { expect, test } from 'vitest';
import { accessNotes } from '../../src/commands/access.ts';
import { buildApp } from '../../src/model/build.ts';
import { carryIds } from '../../src/model/carry.ts';
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

function notes(after: string, before = text) {
  const was = appOf(before);
  return accessNotes(was, carryIds(was, appOf(after)));
}

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

const named = text.replace('read: member,', 'read: "member(member, owner)",');

test('a role that has another name is the same one', () => {
  const after = named
    .replace('[member,', '[{ value: guest, was: member },')
    .replace('(member, owner)', '(guest, owner)')
    .replace('= member', '= guest');
  expect(notes(after, named)).toEqual([]);
});

test('what a rule says of values is compared by the names that they have now', () => {
  const after = named
    .replace('[member, owner]', '[{ value: owner, was: member }, { value: member, was: owner }]')
    .replace('first: owner', 'first: member');
  expect(notes(after, named).map(({ message }) => message)).toEqual([
    'Who may do what with `Team` changes, by the names that values have now: update: member(member) → member(owner).',
  ]);
});

test('so is a condition, also over a relation, of a field and of a link', () => {
  const before = `version: 1
app: { name: desk }
enums: { State: [open, shut] }
models:
  Desk: { fields: { state: State = open } }
  Note:
    link: { secret: token, if: state = open }
    fields: { state: State = open, body: { type: text?, read: authenticated if state = open } }
    relations: { desk: Desk }
    access: { read: [link, authenticated if desk.state = open], update: 'authenticated if state in (open, shut)' }
`;
  const after = (values: string) => before.replace('[open, shut]', values);
  expect(notes(before, before)).toEqual([]);
  const renamed = after('[{ value: begun, was: open }, shut]').replaceAll(
    /= open|\(open/g,
    (it) => `${it.slice(0, -4)}begun`,
  );
  expect(notes(renamed, before)).toEqual([]);
  const swapped = after('[{ value: shut, was: open }, { value: open, was: shut }]');
  expect(notes(swapped, before).map(({ message }) => message.split('; '))).toEqual([
    [
      'Who may do what with `Note` changes, by the names that values have now: list: link, authenticated if desk.state = shut → link, authenticated if desk.state = open',
      'read: link, authenticated if desk.state = shut → link, authenticated if desk.state = open',
      'read body: authenticated if state = shut → authenticated if state = open',
      'link: token if state = shut → token if state = open.',
    ],
  ]);
});
