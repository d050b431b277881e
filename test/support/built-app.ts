import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { freshDatabase } from './postgres.ts';
import { install } from './install.ts';
import { root } from './root.ts';
import { must } from './run.ts';
import { scratchFolder } from './scratch.ts';
import { testSecret } from './server.ts';

export type Engine = 'sqlite' | 'postgres';
export type Fixture = 'minimal' | 'blog' | 'every-type';

export interface BuiltApp {
  readonly folder: string;
  /** What its commands and its server need to know: a secret and an empty database. */
  readonly env: Readonly<Record<string, string>>;
}

/** A fixture app in a folder of its own, with its dependencies; nothing is written below `fixtures/`. */
export async function copiedApp(name: Fixture, engine: Engine): Promise<BuiltApp> {
  const folder = await scratchFolder(`${name}-${engine}`);
  await cp(join(root, 'fixtures/apps', name, engine), folder, { recursive: true });
  await install(folder);
  const database = engine === 'sqlite' ? 'file:./var/test.db' : await freshDatabase();
  return {
    folder,
    env: { DATABASE_URL: database, AUTH_SECRET_KEY: testSecret, AUTH_BCRYPT_COST: '10' },
  };
}

/** The same, compiled. */
export async function builtApp(name: Fixture, engine: Engine): Promise<BuiltApp> {
  const app = await copiedApp(name, engine);
  await must('npm', ['run', 'build'], { cwd: app.folder });
  return app;
}
