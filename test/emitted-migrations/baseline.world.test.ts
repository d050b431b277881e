import { join } from 'node:path';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { copiedApp } from '../support/built-app.ts';
import { must, run } from '../support/run.ts';

test.each(['sqlite', 'postgres'] as const)(
  'a database is taken over by the migration program itself, and by the command of the project, on %s',
  async (engine) => {
    const { folder, env } = await copiedApp('minimal', engine);
    const options = { cwd: folder, env };
    await must('node', ['migrations/migrate.js'], options);
    const url = env['DATABASE_URL'] ?? '';
    const taken = 'The database counts as having 0001_initial.';
    for (const command of ['node migrations/migrate.js baseline', 'npm run -s db:baseline']) {
      await forgetRecord(engine === 'sqlite' ? join(folder, url.slice('file:'.length)) : url);
      const refused = await run('node', ['migrations/migrate.js'], options);
      expect(refused.stderr).toContain('is taken over by `npm run db:baseline`');
      const [program = '', ...args] = command.split(' ');
      expect(await run(program, args, options)).toEqual({ code: 0, stdout: taken, stderr: '' });
      const again = await run(program, [...args], options);
      expect(again).toMatchObject({ code: 1, stdout: '' });
      expect(again.stderr).toContain('already has migrations');
    }
  },
);

async function forgetRecord(place: string): Promise<void> {
  const sql = 'drop table schema_migrations';
  if (place.startsWith('postgres:')) {
    const client = new Client({ connectionString: place });
    await client.connect();
    await client.query(sql);
    await client.end();
    return;
  }
  const file = new DatabaseSync(place);
  file.exec(sql);
  file.close();
}
