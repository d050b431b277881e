import type { Operation } from './operations.ts';

const tree = (note: string, tag = '') => `
models:
  Note:
    timestamps: false
    ${note}
    relations: { parent: Note?, tags: "Tag[]" }
  Tag:
    timestamps: false
    ${tag}
    relations: { best: Note? }
`;
const plain = 'fields: { title: string, size: int? }';
const rows = [
  `INSERT INTO notes (title, parent_id) VALUES ('a', NULL), ('b', 1)`,
  'INSERT INTO tags (best_id) VALUES (2)',
  'INSERT INTO notes_tags (note_id, tag_id) VALUES (2, 1)',
];
const led = (key: string) =>
  `SELECT note.title, above.title FROM tags JOIN notes AS note ON note.${key} = tags.best_id
    JOIN notes AS above ON above.${key} = note.parent_id JOIN notes_tags ON notes_tags.note_id = note.${key}`;
const result = [['b', 'a']] as const;

/** Changes to keys whose columns have names of their own. */
export const keyOperations: readonly Operation[] = [
  {
    what: 'a key column gets another name and keys go on leading to it',
    name: 'move_note_id',
    before: tree(plain),
    after: tree(`id: { column: note_no }\n    ${plain}`),
    rows,
    hazards: ['SCF441:Note.id'],
    down: true,
    query: led('note_no'),
    result,
  },
  {
    what: 'a key column takes the name of a field and that one the name of the key',
    name: 'move_note_id_and_2_more',
    before: tree(plain),
    after: tree(
      'id: { column: size }\n    fields: { title: string, size: { type: int?, column: id } }',
      'fields: { text: { type: string, default: x } }',
    ),
    rows,
    hazards: ['SCF442:Note.id', 'SCF442:Note.size'],
    down: true,
    query: led('size'),
    result,
  },
  {
    what: 'a key column gets another name while rows get values of their own',
    name: 'move_note_id_and_add_note_code',
    before: tree(plain),
    after: tree(
      'id: { column: noteId }\n    fields: { title: string, size: int?, code: uuid = uuid unique }',
    ),
    rows: rows.slice(0, 1),
    hazards: ['SCF441:Note.id', 'SCF441:Note.code'],
    down: true,
    keeps: 'SCF412:Note.code concerns 2 rows',
    query: `SELECT note.title, above.title FROM notes AS note
      JOIN notes AS above ON above."noteId" = note.parent_id WHERE note.code <> above.code`,
    result,
  },
  {
    what: 'numbers become uuids in a key column of another name',
    name: 'change_note_and_move_note_id',
    before: tree(`id: { column: note_no }\n    ${plain}`),
    after: tree(`id: { type: uuid, column: note_id }\n    ${plain}`),
    rows,
    hazards: ['SCF416:Note 2', 'SCF441:Note', 'SCF441:Note.id'],
    query: led('note_id'),
    result,
  },
  {
    what: 'uuids become numbers in a key column of another name',
    name: 'change_note',
    before: tree(`id: { type: uuid, column: order }\n    ${plain}`),
    after: tree(`id: { column: order }\n    ${plain}`),
    rows: [
      `INSERT INTO notes ("order", title, parent_id) VALUES
        ('018f4e6a-7b8c-7d9e-8f00-112233445566', 'a', NULL),
        ('018f4e6a-7b8c-7d9e-8f00-1122334455aa', 'b', '018f4e6a-7b8c-7d9e-8f00-112233445566')`,
      `INSERT INTO tags (best_id) VALUES ('018f4e6a-7b8c-7d9e-8f00-1122334455aa')`,
      `INSERT INTO notes_tags (note_id, tag_id) VALUES ('018f4e6a-7b8c-7d9e-8f00-1122334455aa', 1)`,
    ],
    hazards: ['SCF416:Note 2', 'SCF441:Note'],
    query: led('"order"'),
    result,
  },
  {
    what: 'a relation is added to a key column of another name with a backfill',
    name: 'add_tag_first',
    before: tree(`id: { column: note_no }\n    ${plain}`),
    after: `${tree(`id: { column: note_no }\n    ${plain}`).trimEnd().replace('{ best: Note? }', '{ best: Note?, first: { to: Note, backfill: 1 } }')}\n`,
    rows,
    hazards: ['SCF425:Tag.first 0', 'SCF441:Tag.first'],
    down: true,
    query: `${led('note_no')} WHERE tags.first_id = 1`,
    result,
  },
];
