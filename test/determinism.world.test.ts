import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { nodeVersion } from './support/node-version.ts';
import { root } from './support/root.ts';
import { must } from './support/run.ts';
import { scratchFolder } from './support/scratch.ts';
import { isDeep } from './support/trials.ts';

/** Turkish folds `I` to `ı`, Estonian sorts `z` after `s`, Kiritimati is a day ahead of Honolulu. */
const circumstances = [
  { name: 'once more' },
  { name: 'in Turkish on Kiritimati', env: { LC_ALL: 'tr_TR.UTF-8', TZ: 'Pacific/Kiritimati' } },
  { name: 'in Estonian in Honolulu', env: { LC_ALL: 'et_EE.UTF-8', TZ: 'Pacific/Honolulu' } },
  { name: 'in no language', env: { LC_ALL: 'C' } },
  { name: 'on Node 22', node: 22 },
  { name: 'on Node 24', node: 24 },
];

describe.each([
  ['blog', 'sqlite', 0],
  ['every-type', 'postgres', 1],
])('%s on %s comes out the same, byte for byte', (app, engine, half) => {
  let expected: ReadonlyMap<string, string>;

  beforeAll(async () => {
    expected = await emitted({ app, engine });
    expect(expected.size).toBeGreaterThan(50);
  });

  // Every other circumstance for each; before a release, all of them.
  test.each(circumstances.filter((_, at) => isDeep || at % 2 === half))(
    '$name',
    async ({ env, node }) => {
      const found = await emitted({ app, engine, ...(env && { env }), ...(node && { node }) });
      expect([...found]).toEqual([...expected]);
    },
  );
});

test('one byte more is noticed', () => {
  expect(hash(Buffer.from('a'))).not.toBe(hash(Buffer.from('a\n')));
});

interface Case {
  readonly app: string;
  readonly engine: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly node?: number;
}

/** Path → hash of everything that `scaffold new` writes, except the secret. */
async function emitted({
  app,
  engine,
  env = {},
  node = 20,
}: Case): Promise<ReadonlyMap<string, string>> {
  const folder = join(await scratchFolder('determinism'), app);
  const schema = join(root, 'fixtures/apps', app, 'schema.yaml');
  const program = await nodeVersion(node);
  const options = ['--schema', schema, '--database', engine, '--yes', '--no-install', '--no-git'];
  await must(program, [join(root, 'bin/scaffold.js'), 'new', folder, ...options], {
    cwd: root,
    env,
  });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== '.env');
  const hashes = files.map(async (entry): Promise<[string, string]> => {
    const path = join(entry.parentPath, entry.name);
    return [path.slice(folder.length + 1), hash(await readFile(path))];
  });
  return new Map(
    (await Promise.all(hashes)).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  );
}

function hash(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
