/** Models that use each word of the rules; the engine is left out. */
export const schema = `
version: 1
app: { name: signing }
enums: { Status: [draft, sent], MemberRole: [member, manager, owner] }
models:
  User:
    access: { read: [self, shares Circle], refer: authenticated }
  Circle:
    fields: { name: string(1..80), is_open: bool = false }
    members: { member: { by: Seat, if: accepted = true, first: owner } }
    access:
      create: authenticated
      read: member
      update: member(manager, owner)
      delete: [member(owner), only if is_open = false]
  Seat:
    fields: { role: MemberRole = member, accepted: bool = false }
    relations: { user: User, circle: { to: Circle, on_delete: cascade } }
    unique: [[user, circle]]
    access: { all: via circle.update, read: [is user, via circle] }
  Task:
    fields: { title: string(1..80) }
    relations: { circle: { to: Circle, on_delete: cascade }, assignee: { to: User, optional: true, among: circle.member } }
    access: { all: via circle, create: via circle.read }
  Guest:
    link: token
    fields: { name: string(1..80), answered: bool = false }
    relations: { circle: { to: Circle, on_delete: cascade } }
    access: { all: via circle.update, read: [link, via circle], update: [link if answered = false, via circle.update] }
  Reply:
    owner: author
    fields: { body: text }
    relations: { author: User, guest: { to: Guest, on_delete: cascade } }
    access: { create: via guest.read }
  Team:
    owner: lead
    fields: { name: string(1..80) }
    relations: { lead: User, deputy: User? }
    access: { read: authenticated, create: is deputy, update: owner }
  Shelf:
    owner: keeper
    fields: { name: string(1..80) }
    relations: { keeper: User }
    access: { read: authenticated, refer: owner }
  Book:
    fields: { title: string(1..80) }
    relations: { shelf: { to: Shelf, on_delete: cascade } }
    access: { read: authenticated, create: authenticated, update: via shelf }
  Document:
    owner: author
    soft_delete: true
    fields: { title: string(1..80), status: Status = draft }
    relations: { author: User, team: Team, reviewer: User? }
    access:
      read: [owner, is reviewer, via team.update]
      create: via team
      update: [owner if status = draft then status = sent, is reviewer]
      delete: [via team, owner if status = draft]
      restore: is reviewer
  Sheet:
    fields: { body: text }
    relations: { document: Document }
    access: { all: via document.update, read: via document }
`;

/** A policy or another file, what it contains, what somebody could have written instead, and the test that catches it. */
const rows: readonly (readonly [
  name: string,
  of: string,
  find: string,
  replace: string,
  by?: string,
])[] = [
  [
    '`is` names another user',
    'documents',
    "restore: owner('reviewer_id')",
    "restore: owner('author_id')",
  ],
  [
    '`is` is forgotten',
    'documents',
    "read: anyOf(owner('author_id'), owner('reviewer_id'),",
    "read: anyOf(owner('author_id'),",
  ],
  ['`is` admits everybody', 'documents', "restore: owner('reviewer_id')", 'restore: () => true'],
  ['`is` of a create is forgotten', 'teams', "create: owner('deputy_id')", 'create: () => false'],
  [
    '`via` is forgotten',
    'documents',
    "delete: anyOf(\n    via('team_id', toTeam, 'update'),",
    'delete: anyOf(',
  ],
  [
    '`via` admits everybody',
    'documents',
    "create: via('team_id', toTeam, 'update')",
    'create: () => true',
  ],
  [
    '`via` admits nobody',
    'documents',
    "create: via('team_id', toTeam, 'update')",
    'create: () => false',
  ],
  [
    '`via` asks for less',
    'documents',
    "create: via('team_id', toTeam, 'update')",
    "create: via('team_id', toTeam, 'read')",
  ],
  [
    '`via` asks for more',
    'sheets',
    "read: via('document_id', toDocument, 'read')",
    "read: via('document_id', toDocument, 'restore')",
  ],
  [
    '`if` is forgotten',
    'documents',
    "allOf(owner('author_id'), when('status', '=', 'draft'))",
    "owner('author_id')",
  ],
  [
    '`if` asks for another value',
    'documents',
    "if: when('status', '=', 'draft')",
    "if: when('status', '=', 'sent')",
  ],
  ['`then` is forgotten', 'documents', "      then: when('status', '=', 'sent'),\n", ''],
  [
    '`then` asks for another value',
    'documents',
    "then: when('status', '=', 'sent')",
    "then: when('status', '=', 'draft')",
  ],
  [
    '`only` is forgotten',
    'circles',
    "delete: allOf(when('is_open', '=', false), member('owner'))",
    "delete: member('owner')",
  ],
  [
    '`only` admits by itself',
    'circles',
    "delete: allOf(when('is_open', '=', false), member('owner'))",
    "delete: when('is_open', '=', false)",
  ],
  [
    'members of any role are admitted',
    'circles',
    "update: member('manager', 'owner')",
    'update: member()',
  ],
  [
    'members are forgotten',
    'circles',
    "update: member('manager', 'owner')",
    "update: member('owner')",
  ],
  ['members count who have not accepted', 'circles', "  where: when('accepted', '=', true),\n", ''],
  ['nobody is the first member', 'circles/queries', 'request.viewer, (user)', 'null, (user)'],
  ['the first member has another role', 'circles/queries', "role: 'owner'", "role: 'member'"],
  [
    '`all` asks for less',
    'tasks',
    "delete: via('circle_id', toCircle, 'update')",
    "delete: via('circle_id', toCircle, 'read')",
  ],
  ['`refer` is forgotten', 'shelves', "  refer: owner('keeper_id'),\n", '', 'books'],
  ['`refer` admits nobody', 'shelves', "refer: owner('keeper_id')", 'refer: () => false', 'books'],
  ['`link` is forgotten', 'guests', 'read: anyOf(guestLink, via(', 'read: anyOf(via('],
  [
    '`link` is forgotten for a change',
    'guests',
    "    { who: guestLink, if: when('answered', '=', false) },\n",
    '',
  ],
  ['`link` admits everybody', 'guests', "= link('token')", '= () => true'],
  ['`shares` is forgotten', 'users', 'read: anyOf(self, sharesCircle)', 'read: self'],
  ['`shares` admits everybody', 'users', 'read: anyOf(self, sharesCircle)', 'read: () => true'],
  [
    '`among` is forgotten',
    'tasks',
    "  agreement: agreement({ assignee_id: isMember(['circle_id'], () => circleMember) }),\n",
    '',
  ],
  ['`restore` is forgotten', 'documents', "  restore: owner('reviewer_id'),\n", ''],
  [
    'the document says that no account is needed',
    'plugins/openapi',
    'isForUsers ? { ...schema, security: [{ login: [] }] } : schema',
    'schema',
    'server',
  ],
];

export const plantedRules = rows.map(([name, of, find, replace, by]) => {
  const [folder = '', part = 'policy'] = of.split('/');
  return {
    name,
    file: `src/${folder}/${part}.ts`,
    find,
    replace,
    seenBy: `test/${by ?? folder}.test.ts`,
  };
});
