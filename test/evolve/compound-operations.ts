import { blog, magazine } from './magazine.ts';
import type { Operation } from './operations.ts';

const plain = 'timestamps: false';
const notes = (fields: string, rest = '') =>
  `models: { Note: { ${plain}, fields: { ${fields} }${rest} } }`;
const users = `INSERT INTO users (id, name, email, password, created_at, updated_at) VALUES
  (7, 'Ann', 'ann@example.test', 'x', '2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z'),
  (8, 'Bob', 'bob@example.test', 'x', '2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z')`;
const family = (title: string) =>
  `models: { Node: { ${plain}, fields: { title: "${title}" }, relations: { parent: { to: Node, optional: true, on_delete: cascade } } }, Leaf: { ${plain}, fields: { text: string }, relations: { node: { to: Node, on_delete: cascade }, other: { to: Node, optional: true, on_delete: set_null } } } }`;
const circle = (one: string, other: string) =>
  `models: { Team: { ${plain}, fields: { name: "${one}" }, relations: { captain: { to: Player, optional: true, on_delete: set_null } } }, Player: { ${plain}, fields: { name: "${other}" }, relations: { team: { to: Team, on_delete: cascade } } } }`;

/** Changes that come together, and those that meet what other tables hold. */
const diary = (naming: string) => `${naming}
models:
  Note:
    owner: author
    soft_delete: true
    fields: { title: string, shown_from: date? }
    relations: { author: User, related_notes: 'Note[]', tags: 'Tag[]' }
    unique: [[author, title]]
  Tag: { timestamps: false, fields: { a: int } }`;

export const compoundOperations: readonly Operation[] = [
  {
    what: 'a field is renamed and retyped and moves to the front',
    name: 'rename_note_size_and_change_note_pages',
    before: notes('title: string, size: int?'),
    after: notes('pages: { type: string(..9)?, was: size }, title: string'),
    rows: [`INSERT INTO notes (title, size) VALUES ('a', 1), ('b', NULL)`],
    hazards: ['SCF441:Note.pages', 'SCF424:Note.pages 0'],
    query: 'SELECT title, pages FROM notes ORDER BY id',
    result: [
      ['a', '1'],
      ['b', null],
    ],
  },
  {
    what: 'a rename is taken back',
    name: 'rename_note_heading',
    before: notes('heading: { type: string, was: title }'),
    after: notes('title: { type: string, was: heading }'),
    rows: [`INSERT INTO notes (heading) VALUES ('a')`],
    hazards: ['SCF441:Note.title'],
    down: true,
    query: 'SELECT title FROM notes',
    result: [['a']],
  },
  {
    what: 'a name goes to another field, and that one’s to a new one',
    down: true,
    name: 'rename_note_b_and_2_more',
    before: notes('a: string, b: string'),
    after: notes('a: string, c: string, b: string?'),
    renames: ['Note.b=a', 'Note.a=c'],
    rows: [`INSERT INTO notes (a, b) VALUES ('first', 'second')`],
    hazards: ['SCF442:Note.a', 'SCF442:Note.c'],
    query: 'SELECT a, b, c FROM notes',
    result: [['second', null, 'first']],
  },
  {
    what: 'three names go round',
    name: 'rename_note_b_and_2_more',
    before: notes('a: int, b: int, c: int'),
    after: notes('a: { type: int, was: b }, b: { type: int, was: c }, c: { type: int, was: a }'),
    rows: ['INSERT INTO notes (a, b, c) VALUES (1, 2, 3)'],
    hazards: ['SCF442:Note.a', 'SCF442:Note.b', 'SCF442:Note.c'],
    down: true,
    query: 'SELECT a, b, c FROM notes',
    result: [[2, 3, 1]],
  },
  {
    what: 'a field goes and another one of its type is new',
    name: 'drop_note_title_and_add_note_heading',
    before: notes('title: string?'),
    after: notes('heading: string?'),
    rows: [`INSERT INTO notes (title) VALUES ('a')`],
    hazards: ['SCF412:Note.title 1', 'SCF441:Note.title'],
    query: 'SELECT heading FROM notes',
    result: [[null]],
  },
  {
    what: 'names that are words of SQL change places',
    name: 'rename_order_group_and_rename_order_select',
    before: `models: { Order: { ${plain}, fields: { select: int, group: int } } }`,
    after: `models: { Order: { ${plain}, fields: { select: { type: int, was: group }, group: { type: int, was: select } } } }`,
    rows: ['INSERT INTO orders ("select", "group") VALUES (1, 2)'],
    hazards: ['SCF442:Order.select', 'SCF442:Order.group'],
    down: true,
    query: 'SELECT "select", "group" FROM orders',
    result: [[2, 1]],
  },
  {
    what: 'a field is renamed, required and unique at once',
    down: true,
    name: 'rename_note_size_and_2_more',
    before: notes('title: string, size: int?'),
    after: notes('title: string, pages: { type: int, was: size, unique: true }'),
    rows: [`INSERT INTO notes (title, size) VALUES ('a', 1), ('b', 2)`],
    hazards: ['SCF441:Note.pages', 'SCF422:Note.pages 0', 'SCF423:Note.pages 0'],
    query: 'SELECT title, pages FROM notes ORDER BY id',
    result: [
      ['a', 1],
      ['b', 2],
    ],
  },
  {
    what: 'a backfill makes values alike that become unique',
    name: 'require_note_size_and_add_unique_note_size',
    before: notes('title: string, size: int?'),
    after: notes('title: string, size: { type: int, backfill: 1, unique: true }'),
    rows: [`INSERT INTO notes (title, size) VALUES ('a', 1), ('b', NULL)`],
    hazards: ['SCF441:Note.size', 'SCF423:Note.size 2'],
    stops: true,
    query: 'SELECT title, size FROM notes ORDER BY id',
    result: [
      ['a', 1],
      ['b', null],
    ],
  },
  {
    what: 'pairs of values become unique',
    down: true,
    name: 'add_unique_note_title_size',
    before: notes('title: string(..9), size: int?'),
    after: notes('title: string(..9), size: int?', ', unique: [[title, size]]'),
    rows: [`INSERT INTO notes (title, size) VALUES ('a', 1), ('a', 2), ('a', NULL), ('a', NULL)`],
    hazards: ['SCF423:Note.title+size 0'],
    query: 'SELECT title, size FROM notes ORDER BY id',
    result: [
      ['a', 1],
      ['a', 2],
      ['a', null],
      ['a', null],
    ],
  },
  {
    what: 'a table that others point to is made anew, and their rows stay',
    down: true,
    name: 'change_node_title',
    before: family('string'),
    after: family('string(..20)'),
    rows: [
      `INSERT INTO nodes (title, parent_id) VALUES ('root', NULL), ('branch', 1), ('twig', 2)`,
      `INSERT INTO leaves (text, node_id, other_id) VALUES ('a', 3, 1), ('b', 2, NULL)`,
    ],
    hazards: ['SCF424:Node.title 0', 'SCF441:Node.title'],
    query:
      'SELECT text, twig.title, root.title FROM leaves JOIN nodes AS twig ON twig.id = node_id LEFT JOIN nodes AS root ON root.id = other_id ORDER BY leaves.id',
    result: [
      ['a', 'twig', 'root'],
      ['b', 'branch', null],
    ],
  },
  {
    what: 'ids change in a table with a key that waits for the end of a transaction',
    name: 'change_note',
    before: `models: { Note: { ${plain}, fields: { title: string }, relations: { author: { to: User, on_delete: cascade }, editor: User, parent: Note? } } }`,
    after: `models: { Note: { ${plain}, id: uuid, fields: { title: string }, relations: { author: { to: User, on_delete: cascade }, editor: User, parent: Note? } } }`,
    rows: [
      users,
      `INSERT INTO notes (title, author_id, editor_id, parent_id) VALUES ('a', 7, 8, NULL), ('b', 8, 7, 1)`,
    ],
    hazards: ['SCF416:Note 2', 'SCF441:Note'],
    query: `SELECT child.title, parent.title, name FROM notes AS child
      JOIN notes AS parent ON parent.id = child.parent_id JOIN users ON users.id = child.editor_id`,
    result: [['b', 'a', 'Ann']],
  },
  {
    what: 'two tables that point to each other are both made anew',
    down: true,
    name: 'change_team_name_and_change_player_name',
    before: circle('string', 'string'),
    after: circle('string(..20)', 'string(..30)'),
    rows: [
      `INSERT INTO teams (name) VALUES ('reds')`,
      `INSERT INTO players (name, team_id) VALUES ('Ann', 1)`,
      'UPDATE teams SET captain_id = 1',
    ],
    hazards: [
      'SCF424:Team.name 0',
      'SCF441:Team.name',
      'SCF424:Player.name 0',
      'SCF441:Player.name',
    ],
    query: 'SELECT teams.name, players.name FROM teams JOIN players ON players.id = captain_id',
    result: [['reds', 'Ann']],
  },
  {
    what: 'models that point to each other are dropped',
    name: 'drop_team_and_drop_player',
    before: circle('string', 'string'),
    after: 'models: { User: { fields: {} } }',
    rows: [
      users,
      `INSERT INTO teams (name) VALUES ('reds')`,
      `INSERT INTO players (name, team_id) VALUES ('Ann', 1)`,
      'UPDATE teams SET captain_id = 1',
    ],
    hazards: ['SCF411:Team 1', 'SCF441:Team', 'SCF411:Player 1', 'SCF441:Player'],
    query: 'SELECT name FROM users ORDER BY id',
    result: [['Ann'], ['Bob']],
  },
  {
    what: 'a model goes, its name goes to another, and a new one points to that',
    name: 'drop_page_and_2_more',
    before: `models: { Note: { ${plain}, fields: { a: int } }, Page: { ${plain}, fields: { b: int } } }`,
    after: `models: { Page: { ${plain}, was: Note, fields: { a: int } }, Mark: { ${plain}, relations: { page: Page? } } }`,
    rows: ['INSERT INTO notes (a) VALUES (1)', 'INSERT INTO pages (b) VALUES (2), (3)'],
    hazards: ['SCF411:Page 2', 'SCF441:Page'],
    query: 'SELECT a FROM pages LEFT JOIN marks ON page_id = pages.id',
    result: [[1]],
  },
  {
    what: 'a required relation is added with a backfill',
    down: true,
    name: 'add_note_author',
    before: notes('title: string'),
    after: notes('title: string', ', relations: { author: { to: User, backfill: 8 } }'),
    rows: [users, `INSERT INTO notes (title) VALUES ('a'), ('b')`],
    hazards: ['SCF425:Note.author 0', 'SCF441:Note.author'],
    query: 'SELECT title, name FROM notes JOIN users ON users.id = author_id ORDER BY notes.id',
    result: [
      ['a', 'Bob'],
      ['b', 'Bob'],
    ],
  },
  {
    what: 'a required relation is added with a backfill that is not there',
    name: 'add_note_author',
    before: notes('title: string'),
    after: notes('title: string', ', relations: { author: { to: User, backfill: 9 } }'),
    rows: [users, `INSERT INTO notes (title) VALUES ('a'), ('b')`],
    hazards: ['SCF425:Note.author 2', 'SCF441:Note.author'],
    stops: true,
    query: 'SELECT title FROM notes ORDER BY id',
    result: [['a'], ['b']],
  },
  {
    what: 'a relation becomes required with a backfill',
    down: true,
    name: 'require_note_author',
    before: notes('title: string', ', relations: { author: User? }'),
    after: notes('title: string', ', relations: { author: { to: User, backfill: 8 } }'),
    rows: [users, `INSERT INTO notes (title, author_id) VALUES ('a', 7), ('b', NULL)`],
    hazards: ['SCF425:Note.author 0', 'SCF441:Note.author'],
    query: 'SELECT title, author_id FROM notes ORDER BY id',
    result: [
      ['a', '7'],
      ['b', '8'],
    ],
  },
  {
    what: 'a value of an enum is renamed, one is new and one goes, in another order',
    name: 'change_note_mood_and_3_more',
    before: `enums: { Mood: [good, bad, sad] }\n${notes('mood: { type: Mood, default: good }')}`,
    after: `enums: { Mood: [calm, { value: awful, was: bad }, good] }\n${notes('mood: { type: Mood, default: calm, backfill: good }')}`,
    rows: [`INSERT INTO notes (mood) VALUES ('good'), ('bad'), ('sad')`],
    hazards: ['SCF415:Mood.sad 1', 'SCF441:Mood.sad', 'SCF441:Mood.awful'],
    query: 'SELECT mood FROM notes ORDER BY id',
    result: [['good'], ['awful'], ['good']],
  },
  {
    what: 'an enum’s values become those of another enum',
    name: 'change_note_mood',
    before: `enums: { Mood: [good, bad], Taste: [good, sour] }\n${notes('mood: Mood')}`,
    after: `enums: { Mood: [good, bad], Taste: [good, sour] }\n${notes('mood: { type: Taste, backfill: sour }')}`,
    rows: [`INSERT INTO notes (mood) VALUES ('good'), ('bad')`],
    hazards: ['SCF414:Note.mood 1', 'SCF441:Note.mood'],
    query: 'SELECT mood FROM notes ORDER BY id',
    result: [['good'], ['sour']],
  },
  {
    what: 'ids change that one pair of unique values names, and another from now on',
    name: 'change_tag_and_add_unique_note_title_tag_id',
    before: `models: { Tag: { ${plain}, fields: { label: string } }, Note: { ${plain}, fields: { title: string(..40), size: int }, relations: { tag: Tag }, unique: [[size, tag]] } }`,
    after: `models: { Tag: { ${plain}, id: uuid, fields: { label: string } }, Note: { ${plain}, fields: { title: string(..40), size: int }, relations: { tag: Tag }, unique: [[size, tag], [title, tag]] } }`,
    rows: [
      `INSERT INTO tags (id, label) VALUES (1, 'x'), (2, 'y')`,
      `INSERT INTO notes (title, size, tag_id) VALUES ('a', 1, 1), ('a', 1, 2), ('b', 2, 1)`,
    ],
    hazards: ['SCF416:Tag 2', 'SCF441:Tag', 'SCF423:Note.title+tag_id 0'],
    query: 'SELECT title, label FROM notes JOIN tags ON tags.id = tag_id ORDER BY title, label',
    result: [
      ['a', 'x'],
      ['a', 'y'],
      ['b', 'x'],
    ],
  },
  {
    what: 'names become camel case',
    name: 'rename_user_created_at_and_5_more',
    before: diary(''),
    after: diary('naming: camel'),
    rows: [
      users,
      `INSERT INTO notes (id, title, shown_from, author_id, created_at, updated_at, deleted_at) VALUES
        (1, 'Bread', '2026-05-01', 7, '2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z', NULL),
        (2, 'Bread', NULL, 7, '2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z', '2026-01-03T03:04:05.678Z')`,
      'INSERT INTO tags (id, a) VALUES (3, 5)',
      'INSERT INTO notes_tags (note_id, tag_id) VALUES (1, 3)',
    ],
    hazards: [
      'SCF441:User.createdAt',
      'SCF441:User.updatedAt',
      'SCF441:Note.author',
      'SCF441:Note.createdAt',
      'SCF441:Note.updatedAt',
      'SCF441:Note.deletedAt',
    ],
    down: true,
    query:
      'SELECT title, "authorId", CASE WHEN "deletedAt" IS NULL THEN 1 ELSE 0 END AS alive, a FROM notes LEFT JOIN notes_tags ON "noteId" = notes.id LEFT JOIN tags ON "tagId" = tags.id ORDER BY notes.id',
    result: [
      ['Bread', '7', 1, 5],
      ['Bread', '7', 0, null],
    ],
  },
  {
    what: 'columns alone become camel case',
    name: 'move_user_created_at_and_6_more',
    before: diary(''),
    after: diary('naming: { columns: camel }'),
    rows: [
      users,
      `INSERT INTO notes (id, title, shown_from, author_id, created_at, updated_at) VALUES
        (1, 'Bread', '2026-05-01', 7, '2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z')`,
    ],
    hazards: [
      'SCF441:User.created_at',
      'SCF441:User.updated_at',
      'SCF441:Note.shown_from',
      'SCF441:Note.author',
      'SCF441:Note.created_at',
      'SCF441:Note.updated_at',
      'SCF441:Note.deleted_at',
    ],
    down: true,
    query: `SELECT title, "authorId" FROM notes WHERE "shownFrom" = '2026-05-01'`,
    result: [['Bread', '7']],
  },
  {
    what: 'times get other names and one goes',
    name: 'drop_note_updated_at_and_2_more',
    before: `models: { Note: { soft_delete: true, fields: { title: string } } }`,
    after: `models: { Note: { soft_delete: gone_at, timestamps: { created: written_at }, fields: { title: string } } }`,
    rows: [
      `INSERT INTO notes (title, created_at, updated_at, deleted_at) VALUES
        ('a', '2026-01-02T03:04:05.678Z', '2026-01-03T03:04:05.678Z', '2026-01-04T03:04:05.678Z')`,
    ],
    hazards: [
      'SCF412:Note.updated_at 1',
      'SCF441:Note.updated_at',
      'SCF441:Note.written_at',
      'SCF441:Note.gone_at',
    ],
    query: 'SELECT title FROM notes WHERE written_at < gone_at',
    result: [['a']],
  },
  {
    what: 'a blog becomes a magazine',
    name: 'drop_draft_and_14_more',
    before: blog,
    after: magazine,
    rows: [
      users,
      `INSERT INTO posts (id, title, body, status, stars, price, author_id, created_at, updated_at) VALUES
        (1, 'Bread', 'Flour', 'draft', 9, NULL, 7, '2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z'),
        (2, 'Cheese', 'Milk', 'old', NULL, NULL, 8, '2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z')`,
      `INSERT INTO tags (id, label, created_at, updated_at) VALUES (3, 'food', '2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z')`,
      'INSERT INTO posts_tags (post_id, tag_id) VALUES (1, 3)',
    ],
    hazards: [
      'SCF411:Draft 0',
      'SCF441:Draft',
      'SCF441:Article',
      'SCF441:Article.heading',
      'SCF424:Article.heading 0',
      'SCF414:Article.stars 1',
      'SCF441:Article.stars',
      'SCF441:Article.price',
      'SCF441:Topic',
      'SCF441:Topic.slug',
      'SCF415:Status.old 1',
      'SCF441:Status.old',
      'SCF441:Status.new',
      'SCF441:Article.topics',
    ],
    query:
      'SELECT heading, status, stars, author_id, label FROM articles LEFT JOIN articles_topics ON article_id = articles.id LEFT JOIN topics ON topic_id = topics.id ORDER BY articles.id',
    result: [
      ['Bread', 'new', 0, '7', 'food'],
      ['Cheese', 'live', 0, '8', null],
    ],
  },
];
