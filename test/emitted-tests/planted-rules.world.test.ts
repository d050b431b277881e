import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '../support/built-app.ts';
import { emit, writeFiles } from '../support/emit.ts';
import { failuresOfOwnTests } from '../support/failures-of-own-tests.ts';
import { install } from '../support/install.ts';
import { run } from '../support/run.ts';
import { scratchFolder } from '../support/scratch.ts';

/** The tests of a project see a mistake in each word of its rules. */

const engines = ['sqlite', 'postgres'] as const;

const schema = `
version: 1
app: { name: signing }
enums: { Status: [draft, sent] }
models:
  Team:
    owner: lead
    fields: { name: string(1..80) }
    relations: { lead: User, deputy: User? }
    access: { read: authenticated, create: is deputy, update: owner }
  Document:
    owner: author
    soft_delete: true
    fields: { title: string(1..80), status: Status = draft }
    relations: { author: User, team: Team, reviewer: User? }
    access:
      read: [owner, is reviewer, via team.update]
      create: via team
      update: [owner if status = sent, is reviewer]
      delete: [via team, owner if status = draft]
      restore: is reviewer
  Sheet:
    fields: { body: text }
    relations: { document: Document }
    access: { all: via document.update, read: via document }
`;

/** A file of rules, what stands in it, and what somebody could have written instead. */
const faults: readonly (readonly [name: string, of: string, find: string, replace: string])[] = [
  [
    '`is` names another',
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
    "when('status', '=', 'sent')",
    "when('status', '=', 'draft')",
  ],
];

describe('the own tests of a project with rules', () => {
  const folders = new Map<Engine, string>();

  beforeAll(async () => {
    for (const engine of engines) {
      const folder = await scratchFolder(`planted-rules-${engine}`);
      await writeFiles(folder, emit(`database: ${engine}\n${schema}`));
      await install(folder);
      folders.set(engine, folder);
    }
  });

  test.each(engines)('pass as it is on %s', async (engine) => {
    expect(await failuresOfOwnTests(folders.get(engine) ?? '', engine)).toBe('');
  });

  test.each(faults)('see that %s', async (_, name, find, replace) => {
    const folder = folders.get('sqlite') ?? '';
    const file = join(folder, 'src', name, 'policy.ts');
    const whole = await readFile(file, 'utf8');
    expect(whole.split(find)).toHaveLength(2);
    await writeFile(
      file,
      whole.replace(find, () => replace),
    );
    const { stdout, stderr } = await run(
      'node_modules/.bin/vitest',
      ['run', `test/${name}.test.ts`],
      {
        cwd: folder,
      },
    );
    await writeFile(file, whole);
    // A project that does not start proves nothing.
    expect(/AssertionError/.test(stdout + stderr), stdout).toBe(true);
  });
});
