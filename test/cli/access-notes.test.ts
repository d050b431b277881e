import { expect, test } from 'vitest';
import { listAccessNotes } from '../../src/commands/access.ts';
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
  return listAccessNotes(was, carryIds(was, appOf(after)));
}

const messages = (after: string, before: string) =>
  notes(after, before).map(({ message }) => message);

function appOf(schema: string) {
  const parsed = parseSchema(schema);
  if (parsed.schema === undefined)
    throw new Error(parsed.problems.map((it) => it.message).join('\n'));
  return buildApp(parsed.schema);
}

test('a new role counts where a rule names no roles', () => {
  expect(notes(text.replace('[member, owner]', '[guest, member, owner]'))).toEqual([
    {
      code: 'SCF518',
      severity: 'warning',
      message:
        'Whoever is `guest` in `Team` will count as `member` there, and be admitted to list, read, refer: these rules name no roles.',
      help: 'To admit fewer, name the roles: `member(member, owner)`.',
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

test('a renamed role is the same role', () => {
  const after = named
    .replace('[member,', '[{ value: guest, was: member },')
    .replace('(member, owner)', '(guest, owner)')
    .replace('= member', '= guest');
  expect(notes(after, named)).toEqual([]);
});

test('the values of a rule are compared by the names that they have now', () => {
  const after = named
    .replace('[member, owner]', '[{ value: owner, was: member }, { value: member, was: owner }]')
    .replace('first: owner', 'first: member');
  expect(notes(after, named).map(({ message }) => message)).toEqual([
    'Who may do what with `Team` changes, with values by their new names: update: member(member) → member(owner). It also changes: Seat.list, Seat.read, Seat.create, Seat.update, Seat.delete.',
  ]);
});

test('so are those of conditions: over a relation, of a field and of a link', () => {
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
      'Who may do what with `Note` changes, with values by their new names: list: authenticated if desk.state = shut → authenticated if desk.state = open',
      'read: authenticated if desk.state = shut → authenticated if desk.state = open',
      'read body: authenticated if state = shut → authenticated if state = open',
      'link: token if state = shut → token if state = open.',
    ],
  ]);
});

const clinic = `version: 1
app: { name: clinic }
auth: { roles: [doctor, nurse] }
enums: { NoteStatus: [draft, signed] }
models:
  Chart:
    fields: { title: string }
    relations: { doctor: User }
    access: { all: doctor, read: [is doctor, doctor], update: [is doctor, nurse, only if title != x] }
  Note:
    fields: { body: string, status: NoteStatus = draft, colour: { type: string?, write: via chart.read } }
    relations: { chart: Chart }
    access: { all: admin, read: via chart if status = signed, create: via chart.read, update: doctor }
  Reply:
    fields: { body: string }
    relations: { note: Note }
    access: { all: via note.read, update: admin, delete: doctor, list: admin }
`;

test.each([
  [
    'only who is let in is said, with what follows over `via`',
    ['read: [is doctor, doctor]', 'read: [is doctor, doctor, nurse]'],
    'list: also nurse (wider); read: also nurse (wider). It also changes: Note.list, Note.read, Note.create, Note.write colour, Reply.read, Reply.create.',
  ],
  [
    'so is who is kept out',
    ['update: [is doctor, nurse,', 'update: [is doctor if title = y, nurse,'],
    'update: is doctor → is doctor if title = y (narrower).',
  ],
  [
    'a restriction that is removed lets in more',
    [', only if title != x', ''],
    'update: no longer only if title != x (wider).',
  ],
  [
    'a rule that may be wider or narrower is called neither',
    ['[is doctor, nurse,', '[is doctor, doctor,'],
    'update: nurse → doctor.',
  ],
  [
    'another order is not another rule',
    ['read: [is doctor, doctor]', 'read: [doctor, is doctor]'],
    undefined,
  ],
])('%s', (_, [from = '', to = ''], said) => {
  expect(messages(clinic.replace(from, to), clinic)).toEqual(
    said === undefined ? [] : [`Who may do what with \`Chart\` changes: ${said}`],
  );
});

test('a new rule of a field narrows access, and widens it when it is removed', () => {
  const open = clinic.replace('{ type: string?, write: via chart.read }', 'string?');
  const start = 'Who may do what with `Note` changes: write colour:';
  expect(messages(clinic, open)).toEqual([`${start} – → via chart.read (narrower).`]);
  expect(messages(open, clinic)).toEqual([`${start} via chart.read → – (wider).`]);
});

test.each([
  ['a secret that is shown', 'hidden', '', 'read colour: nobody → – (wider)'],
  ['what becomes a secret', '', 'hidden', 'read colour: – → nobody (narrower)'],
  ['what the server no longer sets', 'readonly', '', 'write colour: nobody → – (wider)'],
  [
    'a secret that some may see',
    'hidden: true',
    'read: doctor',
    'read colour: also doctor (wider)',
  ],
  [
    'a secret that some could see',
    'read: doctor',
    'hidden: true',
    'read colour: no longer doctor (narrower)',
  ],
])('%s changes who may do what', (_, from, to, said) => {
  const isLong = /:/.test(from);
  const withKey = (key: string) => {
    const colour = isLong ? `{ type: string?, ${key} }` : `string? ${key}`;
    return clinic.replace('{ type: string?, write: via chart.read }', colour);
  };
  const message = `Who may do what with \`Note\` changes: ${said}.`;
  expect(messages(withKey(to), withKey(from))).toEqual([message]);
});

test('a new secret takes nothing away, and one that is gone gives nothing', () => {
  const secret = clinic.replace('title: string }', 'title: string, key: string? hidden }');
  expect(messages(secret, clinic)).toEqual([]);
  expect(messages(clinic, secret)).toEqual([]);
});

test('a model is called as in the schema, even if its type has another name', () => {
  const before = clinic.replaceAll('Chart', 'Record').replaceAll(/Note(:| })/g, 'Page$1');
  const after = before.replace('read: [is doctor, doctor]', 'read: doctor');
  expect(notes(after, before).map(({ message }) => message)).toEqual([
    'Who may do what with `Record` changes: list: no longer is doctor (narrower); read: no longer is doctor (narrower). It also changes: Page.list, Page.read, Page.create, Page.write colour, Reply.read, Reply.create.',
  ]);
});

const ward = `version: 1
app: { name: wards }
auth: { roles: [doctor, nurse] }
models:
  User:
    fields: { town: string? }
    access: { read: shares Team, update: doctor if town = me.town }
  Clinic:
    fields: { title: string, city: string? }
    relations: { head: User }
    access: { read: authenticated, update: [is head, doctor if city = Rome] }
  Visit:
    fields: { internalNote: { type: text?, read: via clinic.update, write: nurse } }
    relations: { clinic: Clinic, vet: { to: User, optional: true } }
    access: { all: is vet, read: [via clinic, authenticated if clinic.city = Rome] }
  Team:
    fields: { title: string }
    members: { member: { by: Seat, if: active = true } }
    access: { read: member }
  Seat:
    fields: { active: bool = true }
    relations: { user: User, team: Team }
    access: { all: via team }
`;
const otherNames = ward
  .replace('internalNote: {', 'staffNote: { was: internalNote,')
  .replace('vet: {', 'doctor: { was: vet,')
  .replace('is vet', 'is doctor')
  .replace('city: string?', 'place: { type: string?, was: city }')
  .replaceAll(/\bcity =/g, 'place =')
  .replaceAll('.city', '.place')
  .replace('  Team:', '  Crew:\n    was: Team')
  .replace('team: Team', 'crew: { to: Crew, was: team }')
  .replace('via team', 'via crew')
  .replace('shares Team', 'shares Crew')
  .replace('town: string?', 'home: { type: string?, was: town }')
  .replace('town = me.town', 'home = me.home')
  .replace('  Seat:', '  Place:\n    was: Seat')
  .replace('by: Seat, if: active', 'by: Place, if: valid')
  .replace('active: bool = true', 'valid: { type: bool, was: active, default: true }');

test('a rename does not change who may do what', () => {
  expect(messages(otherNames, ward)).toEqual([]);
});

test('a change made along with a rename is reported once, by the new name', () => {
  const after = otherNames.replace('read: via clinic.update, write', 'read: via clinic, write');
  expect(messages(after, ward)).toEqual([
    'Who may do what with `Visit` changes: read staffNote: via clinic.update → via clinic.',
  ]);
});
