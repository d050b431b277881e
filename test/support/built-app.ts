import { cpSync, existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { freshDatabase } from './postgres.ts';
import { install, withLock } from './install.ts';
import { root } from './root.ts';
import { must } from './run.ts';
import { runFolder, scratchFolder } from './scratch.ts';
import { testSecret } from './server.ts';

export type Engine = 'sqlite' | 'postgres';
export type Fixture = 'minimal' | 'blog' | 'every-type';

export interface BuiltApp {
  readonly name: string;
  readonly folder: string;
  /** What its commands and its server need to know: a secret and an empty database. */
  readonly env: Readonly<Record<string, string>>;
}

/** A fixture app in a folder of its own, with its dependencies; nothing is written below `fixtures/`. */
export async function copiedApp(name: Fixture, engine: Engine): Promise<BuiltApp> {
  const folder = await scratchFolder(`${name}-${engine}`);
  cpSync(join(root, 'fixtures/apps', name, engine), folder, { recursive: true });
  await install(folder);
  const database = engine === 'sqlite' ? 'file:./var/test.db' : await freshDatabase();
  return {
    name: `${name}-${engine}`,
    folder,
    env: { DATABASE_URL: database, AUTH_SECRET_KEY: testSecret, AUTH_BCRYPT_COST: '10' },
  };
}

/** The same, compiled. */
export async function builtApp(name: Fixture, engine: Engine): Promise<BuiltApp> {
  const app = await copiedApp(name, engine);
  await build(app);
  return app;
}

/** Compiles an app as it was copied, or takes what an earlier test of this run has compiled. */
export async function build({ name, folder }: BuiltApp): Promise<void> {
  const shared = join(runFolder(), `${name}.dist`);
  await withLock(`${shared}.lock`, async () => {
    if (existsSync(shared)) return;
    // Without a look at types, which `npm run typecheck` has had.
    await must('npm', ['run', 'build', '--', '--noCheck'], { cwd: folder });
    await rename(join(folder, 'dist'), shared);
  });
  cpSync(shared, join(folder, 'dist'), { recursive: true });
}
