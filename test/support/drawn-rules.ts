import { parseSchema } from '../../src/schema/parse.ts';

/** Many worlds in one schema, and the models of each: those that are drawn, and those that are asked. */
export function drawnRules(from: number, count: number) {
  const chance = chanceOf(from);
  const worlds = Array.from({ length: count }, (_, index) => drawnWorld(chance, index));
  const groups = worlds.map((_, index) => {
    const drawn = kinds.map((kind) => kind + index);
    return { drawn, asked: index === 0 ? ['User', ...drawn] : drawn, few };
  });
  return { text: head + worlds.join(''), groups };
}

type Chance = <Value>(values: readonly Value[]) => Value;

function chanceOf(from: number): Chance {
  let state = from;
  return (values) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const value = values[Math.floor((state / 2 ** 32) * values.length)];
    if (value === undefined) throw new Error('There is nothing to draw from.');
    return value;
  };
}

const head = `version: 1
app: { name: rules }
auth: { roles: [office] }
enums: { Status: [draft, sent, archived], ShareRole: [reader, writer], MateRole: [player, captain] }
models:
  User:
    fields: { nick: string? }
    relations: { organisation: Organisation? }
    access: { read: [self, shares Team0], refer: authenticated }
  Organisation:
    fields: { name: string(1..80), plan: string(1..20) }
    access: { read: authenticated, create: admin }
`;
const kinds = ['Hall', 'Squad', 'Team', 'Mate', 'Doc', 'Share', 'Note'];
/** The first of them, to which the others lead. */
const few = 3;

const conditions = [
  'status = draft',
  'status != sent',
  'status in (draft, sent)',
  'price > 4.50',
  'price <= 4.50',
  'note is null',
  'note != x',
  'released_at <= now',
  'opened_at <= now',
  'code is null',
  'kind = plain',
  'is_open = true',
  'reviewer is not null',
  'team.name = x',
  'team.organisation.plan = x',
  'team.organisation is null',
  'organisation.plan is null',
  'organisation = me.organisation',
  'organisation.plan = me.organisation.plan',
  'note = me.nick',
  'status = draft and is_open = true',
];
const notes = [
  'is_open = true',
  'body = me.nick',
  'doc.status = draft',
  'doc.team.name = x',
  'doc.reviewer is null',
];
const narrowing = [
  'only if is_open = true',
  'only authenticated',
  'only if organisation = me.organisation',
];
const seers = 'public,authenticated,owner,office,is reviewer,via team,via team.update'.split(',');
const writers = 'authenticated,owner,office,is reviewer,via team,via team.read'.split(',');
const people = ['helper', 'helper(writer)', 'guest'];
const makers = ['authenticated', 'office', 'is reviewer', 'via team', 'via team.read'];
const agreements = ['', 'organisation', 'team.organisation', 'team.mate', 'team.mate(captain)'];

/** Models with rules that the schema takes; what it refuses is drawn again. */
function drawnWorld(chance: Chance, index: number): string {
  for (let tries = 0; tries < 100; tries++) {
    const text = drawnModels(chance, (kind) => kind + index);
    const alone = head.replace('shares Team0', `shares Team${index}`) + text;
    if (parseSchema(alone).schema !== undefined) return text;
  }
  throw new Error('No world that was drawn is taken.');
}

/** A relation to what rows may go with. */
const going = (name: string, to: string) =>
  `, ${name}: { to: ${to}, optional: true, on_delete: cascade }`;

/** Who rules may name of a model that has a link. */
const byLink = (link: string) => (link === '' ? [] : ['link', 'link if is_open = true']);

function drawnModels(chance: Chance, named: (kind: string) => string): string {
  const [hall = '', squad = '', team = '', mate = '', doc = '', share = '', note = ''] =
    kinds.map(named);
  const some = (...texts: readonly string[]) => chance([...texts, '']);
  const entry = (who: readonly string[], when: readonly string[], isUpdate = false) => {
    const condition = chance([true, true, false]) ? ` if ${chance(when)}` : '';
    const result = isUpdate && chance([true, false]) ? ` then ${chance(when)}` : '';
    return chance(who) + condition + result;
  };
  const rule = (
    who: readonly string[],
    { when = conditions, isUpdate = false, only = '' } = {},
  ) => {
    const entries = Array.from({ length: chance([1, 1, 2, 3]) }, () => entry(who, when, isUpdate));
    return JSON.stringify([...new Set([...entries, ...(only === '' ? [] : [only])])]);
  };
  const docRule = (who: readonly string[], isUpdate = false) =>
    rule(who, { isUpdate, only: some(chance(narrowing)) });
  const noteRule = (who: readonly string[], isUpdate = false) =>
    rule(who, { when: notes, isUpdate, only: some('only if is_open = true', '') });
  const soft = () => `soft_delete: ${chance([true, false])}`;
  const link = (isOpen: string) => some('link: token', `link: { secret: token, if: ${isOpen} }`);
  const [mateLink, shareLink] = [link('is_open = true'), link('role = reader')];
  const user = (of: string) => (of === '' ? 'User' : chance(['User', 'User?']));
  const agreement = chance(agreements);
  const among = agreement && `, among: ${agreement}`;
  const all = chance([`\n      all: ${JSON.stringify([chance(narrowing)])}`, '', '']);
  const priced = some(`, read: ${docRule(['owner', 'office', 'via team'])}`);
  const noted = some(`, write: ${docRule(['owner', 'office', 'is reviewer'])}`);
  const reviewed =
    some(`, read: ${docRule(['owner', 'office', 'authenticated'])}`, '') +
    some(`, write: ${docRule(['owner', 'office', 'via team'])}`, '');
  const counted = some(', if: is_open = true');
  const first = some(', first: captain');
  const housed = chance([going('hall', hall), going('hall', hall), '']);
  const [parent, manned] = [going('parent', team), going('squad', squad)];
  const anybody = () => chance(['authenticated', 'authenticated', 'office']);
  return `
  ${hall}:
    ${soft()}
    fields: { name: string(1..80) }
    access: { all: ${anybody()}, read: authenticated }
  ${squad}:
    ${soft()}
    fields: { name: string(1..80) }
    relations: { captain: User?${housed} }
    access: { all: ${anybody()}, read: authenticated, delete: [is captain, ${anybody()}] }
  ${team}:
    owner: lead
    ${soft()}
    fields: { name: string(1..80) }
    relations: { lead: User, organisation: Organisation?${some(parent)}${housed} }
    members: { mate: { by: ${mate}${counted}${first} } }
    access:
      read: [owner, ${chance(['mate', 'office', 'authenticated if organisation = me.organisation'])}]
      ${some('refer: [owner, office, authenticated if name = x]')}
      create: authenticated
      update: ${chance(['owner', '[owner, mate(captain)]', 'mate', '[owner, office if name = x]'])}
      delete: [owner, mate(captain)]
  ${mate}:
    ${mateLink}
    fields: { role: MateRole = player, is_open: bool = true }
    relations: { user: ${user(mateLink)}, team: { to: ${team}, on_delete: cascade }${some(manned, manned)} }
    access:
      read: ${rule(['authenticated', 'is user', 'via team', ...byLink(mateLink)], { when: ['is_open = true'] })}
      create: via team.${chance(['read', 'update'])}
      update: ${rule(['is user', 'via team', ...byLink(mateLink)], { when: ['is_open = true'] })}
      delete: [is user, via team]
  ${doc}:
    owner: author
    ${soft()}
    fields:
      title: string(1..80) unique
      status: Status = draft
      price: { type: 'decimal(6,2)', optional: true${priced} }
      note: { type: string, optional: true${noted} }
      is_open: bool = true
      released_at: datetime?
      opened_at: datetime = now
      kind: string(1..20) = plain hidden readonly
      code: string? hidden readonly
    relations:
      author: User
      team: { to: ${team}, inverse: docs }
      reviewer: { to: User, optional: true${among}${reviewed} }
      organisation: Organisation?
    members: { helper: { by: ${share}, if: is_open = true }, guest: { by: ${share}, if: role = reader } }
    access:${all}
      read: ${docRule([...seers, ...people])}
      create: ${docRule(makers)}
      update: ${docRule([...writers, ...people], true)}
      delete: ${docRule([...writers, ...people])}
      restore: ${docRule([...writers, ...people])}
  ${share}:
    ${shareLink}
    fields: { role: ShareRole = reader, is_open: bool = true }
    relations: { user: ${user(shareLink)}, doc: ${doc} }
    access:
      read: ${rule(['authenticated', 'is user', ...byLink(shareLink)], { when: ['is_open = true'] })}
  ${note}:
    ${soft()}
    fields: { body: string(1..80), is_open: bool = true }
    relations:
      doc: { to: ${doc}, on_delete: ${chance(['cascade', 'restrict'])}, inverse: notes }
      writer: User?
    access:
      ${some('list: [is writer, office]')}
      read: ${noteRule(['via doc', 'is writer', 'office', 'public'])}
      create: ${noteRule(['via doc', 'via doc.read', 'office', 'authenticated'])}
      update: ${noteRule(['via doc', 'via doc.read', 'is writer', 'office'], true)}
      delete: ${noteRule(['via doc', 'via doc.delete', 'is writer'])}
`;
}
