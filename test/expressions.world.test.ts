import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { copiedApp } from './support/built-app.ts';
import { expressions } from './support/every-type/expressions.ts';
import { must } from './support/run.ts';
import { oneChecker } from './support/type-check.ts';

const engines = ['sqlite', 'postgres'] as const;

interface Query {
  execute(): Promise<unknown>;
  compile(): { readonly sql: string };
}

type Questions = Readonly<Record<string, (database: object) => Query>>;

/** What the test uses of the emitted project. */
interface Emitted {
  readonly openConnection: (config: object) => Connection;
  readonly migrate: (url: string) => Promise<unknown>;
  readonly fill: (database: object) => Promise<void>;
  readonly reads: Questions;
  readonly writes: Questions;
  readonly refused: Questions;
}

interface Connection {
  readonly database: object;
  readonly reader: object;
  close(): Promise<void>;
}

/** What is answered, or what is thrown, by question. */
type Answers = Readonly<Record<string, unknown>>;

interface Asked {
  readonly reads: Answers;
  readonly readsOfReader: Answers;
  readonly writes: Answers;
  readonly refused: Answers;
  /** SQL, by question. */
  readonly written: Readonly<Record<string, string>>;
}

describe('a query of an owner', () => {
  const asked = new Map<string, Asked>();

  beforeAll(async () => {
    for (const engine of engines) {
      const { folder, env } = await copiedApp('every-type', engine);
      await writeFile(join(folder, 'src/expressions.ts'), expressions);
      if (engine === 'sqlite')
        await must('npm', ['run', 'typecheck', '--', ...oneChecker], { cwd: folder });
      asked.set(engine, await ask(folder, databaseUrl(folder, env['DATABASE_URL'] ?? '')));
    }
  });

  test('returns the values of the API', () => {
    expect(asked.get('postgres')?.reads).toMatchObject({
      'functions of a decimal': [
        { most: null, sum: null, some: '-0.05', other: null, count: 0 },
        { most: '4.50', sum: '4.50', some: '4.50', other: null, count: 1 },
        { most: '10.00', sum: '10.00', some: '10.00', other: '10.00', count: 1 },
      ],
      'queries of the database inside of others': [{ name: 'Axe' }, { name: 'Bowl' }],
      having: [
        { fragile: true, most: '4.50' },
        { fragile: false, most: '10.00' },
      ],
    });
  });

  test.each(['reads', 'readsOfReader', 'writes'] as const)(
    'returns on SQLite what it returns on PostgreSQL: %s',
    (kind) => {
      expect(asked.get('sqlite')?.[kind]).toEqual(asked.get('postgres')?.[kind]);
    },
  );

  test('returns the same through the reader', () => {
    expect(asked.get('sqlite')?.readsOfReader).toEqual(asked.get('sqlite')?.reads);
  });

  test('checks its time limit once in each select on SQLite, wherever it was built', () => {
    const written = asked.get('sqlite')?.written['queries of the database inside of others'];
    expect(written?.match(/in_time\(\)/g)).toHaveLength(3);
  });

  test('is refused where SQLite would calculate with units, whatever the rows hold', () => {
    const refused = Object.entries(asked.get('sqlite')?.refused ?? {});
    expect(refused.length).toBeGreaterThan(0);
    for (const [question, answer] of refused) {
      expect(String(answer), question).toMatch(/^Error: Decimals are stored as integers /);
    }
  });
});

/** That of SQLite is in the folder. */
function databaseUrl(folder: string, url: string): string {
  return url.startsWith('file:') ? `file:${join(folder, 'expressions.db')}` : url;
}

async function ask(folder: string, url: string): Promise<Asked> {
  const modules = ['src/database/client.ts', 'src/database/migrate.ts', 'src/expressions.ts'];
  const imported: object[] = [];
  for (const path of modules) imported.push(await import(join(folder, path)));
  const emitted: Emitted = Object.assign({}, ...imported);
  await emitted.migrate(url);
  const { database, reader, close } = emitted.openConnection({
    databaseUrl: url,
    databaseLimits: { poolSize: 5, readers: 0, statementTimeoutMs: 4000, lockTimeoutMs: 3000 },
  });
  await emitted.fill(database);
  const written = Object.entries(emitted.reads).map(([question, write]) => {
    return [question, write(database).compile().sql] as const;
  });
  const asked = {
    written: Object.fromEntries(written),
    reads: await answers(database, emitted.reads),
    readsOfReader: await answers(reader, emitted.reads),
    writes: await answers(database, emitted.writes),
    refused: await answers(database, emitted.refused),
  };
  await close();
  return asked;
}

async function answers(database: object, questions: Questions): Promise<Answers> {
  const found: Record<string, unknown> = {};
  for (const [question, write] of Object.entries(questions)) {
    found[question] = await Promise.resolve()
      .then(() => write(database).execute())
      .catch((error: unknown) => String(error));
  }
  return found;
}
