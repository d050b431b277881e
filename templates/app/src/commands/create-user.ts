import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../app.ts';
import { loadConfig, readEnvironment } from '../config.ts';
import { system } from '../lib/access.ts';
import { createUser } from '../users/queries.ts';
import { CreateUser } from '../users/schema.ts';
import { print, readOptions, runCommand, withDatabase } from './command.ts';

const { properties, required } = CreateUser;
const options = Object.keys(properties).map((name) =>
  required.some((each) => each === name && name !== 'password') ? `--${name} …` : `[--${name} …]`,
);
const usage = `npm run user:create -- ${[...options, '[--admin]'].join(' ')}`;

await runCommand(async () => {
  const { admin, ...texts }: Texts = readOptions(usage, {
    admin: { type: 'boolean' },
    ...fieldOptions(),
  });
  const config = loadConfig(readEnvironment());
  const values = {
    ...Object.fromEntries(
      Object.entries(texts).map(([name, value]) => [name, valueOf(name, value)]),
    ),
    ...(admin === true && { role: 'admin' }),
    password: texts.password ?? (await readPassword()),
  };
  await withDatabase(config, async (connection) => {
    const app = await buildApp({ config, connection });
    check(app, values);
    const user = await createUser(app.database, app.hasher, { viewer: system }, values);
    await app.close();
    print(`Created ${user.email} with the role ${user.role}; the id is ${user.id}.`);
  });
});

interface Texts {
  readonly [option: string]: unknown;
}

/** One for each field of a new user: `--email`, `--name`. */
function fieldOptions() {
  const names = Object.keys(CreateUser.properties);
  return Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
}

/** Numbers and the like are written as in JSON; a text is a text. */
function valueOf(name: string, value: unknown): unknown {
  const property = Object.entries(CreateUser.properties).find(([key]) => key === name)?.[1] ?? {};
  const types = 'type' in property ? [property.type].flat() : [];
  if (types.length > 0 && types.every((type) => type === 'string' || type === 'null')) return value;
  try {
    return JSON.parse(String(value));
  } catch {
    return value;
  }
}

/** Throws what the API would answer to the same values. */
function check(app: FastifyInstance, values: unknown): asserts values is CreateUser {
  const schema = { schema: CreateUser, httpPart: 'body', method: 'POST', url: '/' };
  const result = app.validatorCompiler?.(schema)(values);
  if (typeof result === 'object' && 'error' in result) throw result.error;
}

/** Asked for without an echo on a terminal; elsewhere the first line of the standard input. */
async function readPassword(): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) return (await text(stdin)).split('\n', 1)[0] ?? '';
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: stdin, output: silence, terminal: true });
  terminal.on('SIGINT', () => process.exit(130));
  stderr.write('Password: ');
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    stderr.write('\n');
  }
}
