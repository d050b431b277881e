import type { BuiltApp } from '../../support/built-app.ts';
import { must } from '../../support/run.ts';
import type { Chance } from './chance.ts';
import { type Document, resolved } from './document.ts';
import { type Sender, sender } from './send.ts';
import { valueMaker } from './values.ts';
import type { WatchedServer } from './watched-server.ts';

const password = 'correct horse battery';

/** Somebody with a role, who logs in again when their token is no longer valid and registers again when deleted. */
export interface Person {
  readonly role: string;
  token(): Promise<string>;
  /** Their token was refused. */
  lost(): void;
}

/** Everybody who takes part in a trial of a server, and the server. */
export interface Meeting {
  readonly server: WatchedServer;
  readonly document: Document;
  readonly sender: Sender;
  readonly people: readonly Person[];
  end(): Promise<void>;
}

interface Invitation {
  readonly roles: readonly string[];
  readonly chance: Chance;
}

export async function meet(
  app: BuiltApp,
  server: WatchedServer,
  { roles, chance }: Invitation,
): Promise<Meeting> {
  const response = await fetch(`${server.url}/openapi.json`);
  const document: Document = JSON.parse(await response.text());
  const requests = sender(server.url);
  const people = roles.map((role) => personOf(role, { app, document, sender: requests, chance }));
  return {
    server,
    document,
    sender: requests,
    people,
    async end() {
      requests.close();
      await server.stop();
    },
  };
}

interface Parts {
  readonly app: BuiltApp;
  readonly document: Document;
  readonly sender: Sender;
  readonly chance: Chance;
}

function personOf(role: string, parts: Parts): Person {
  const { app, document, sender: requests, chance } = parts;
  let email = '';
  let pair: { access_token: string; refresh_token: string } | undefined;
  let asking: Promise<string> | undefined;

  const post = async (path: string, json: object) => {
    const headers = { 'content-type': 'application/json' };
    const { status, body } = await requests.send({
      method: 'POST',
      path,
      headers,
      body: JSON.stringify(json),
    });
    return status === 200 ? JSON.parse(body) : undefined;
  };
  const create = async () => {
    email = `${role}${chance.below(2 ** 31)}@example.test`;
    const args = ['create-user', '--email', email, '--password', password, '--role', role];
    const fields = Object.entries({ name: role, ...extensionFields(document, chance) });
    await must(
      process.execPath,
      ['dist/cli.js', ...args, ...fields.flatMap(([name, value]) => [`--${name}`, String(value)])],
      { cwd: app.folder, env: { NODE_ENV: 'production', ...app.env } },
    );
  };
  const enter = async () => {
    pair = pair && (await post('/auth/refresh', { refresh_token: pair.refresh_token }));
    if (!pair && email !== '') pair = await post('/auth/token', { username: email, password });
    if (!pair) {
      await create();
      pair = await post('/auth/token', { username: email, password });
    }
    return pair?.access_token ?? '';
  };
  let isGood = false;
  return {
    role,
    async token() {
      if (isGood && pair) return pair.access_token;
      asking ??= enter().finally(() => {
        isGood = true;
        asking = undefined;
      });
      return asking;
    },
    lost() {
      isGood = false;
    },
  };
}

/** The fields that a registration needs besides name, address and password. */
function extensionFields(document: Document, chance: Chance): Readonly<Record<string, unknown>> {
  const body =
    document.paths['/auth/register']?.['post']?.requestBody?.content?.['application/json'];
  const { properties = {}, required = [] } = resolved(document, body?.schema ?? {});
  const own = required.filter((name) => !['name', 'email', 'password'].includes(name));
  const valueOf = valueMaker(document, chance);
  return Object.fromEntries(own.map((name) => [name, valueOf(properties[name] ?? {})]));
}
