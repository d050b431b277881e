import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { migrate, migrationStatus } from '../src/database/migrate.ts';
import { isDrift } from '../src/database/migrations/checks.ts';
import { readSchemaSql } from '../src/database/migrations/read.ts';
import { findDrift } from '../src/database/migrations/facts.ts';
import { seed, seedPassword } from '../src/database/seed.ts';
import { Role } from '../src/enums.ts';
import { startTestApp } from './app.ts';

const api = await startTestApp();
const { config, database } = api.app;

describe('migrations', () => {
  it('are applied once', async () => {
    expect(await migrate(config.databaseUrl)).toEqual([]);
    expect(await migrationStatus(database)).toMatchObject({
      pending: [],
      unknown: [],
      altered: [],
    });
  });

  it('make the tables in migrations/schema.sql', async () => {
    const differences = await findDrift(config.databaseUrl, readSchemaSql() ?? '');
    expect(differences.filter(isDrift)).toEqual([]);
  });

  it('are refused when one was edited after it had been applied', async () => {
    const { applied } = await migrationStatus(database);
    const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
    await cp('migrations', folder, { recursive: true });
    await appendFile(join(folder, applied[0] ?? '', 'up.sql'), '-- edited');
    await expect(migrate(config.databaseUrl, { folder })).rejects.toThrow(/edited/);
    await rm(folder, { recursive: true });
  });
});

describe('the seed', () => {
  it('fills every table, again and again', async () => {
    const once = await seed(database, { count: 20, password: '' });
    const twice = await seed(database, { count: 20, password: '' });
    for (const [index, { table, rows }] of once.entries()) {
      const { rows: found } = await sql`select 1 from ${sql.table(table)}`.execute(database);
      const total = rows + (twice[index]?.rows ?? 0);
      expect({ table, total }).toEqual({ table, total: found.length });
      expect(rows).toBeGreaterThan(0);
    }
  });

  it('adds somebody to log in as for each role', async () => {
    const password = await api.app.hasher.hash(seedPassword);
    await seed(database, { count: 1, password });
    for (const role of Role) {
      const form = { username: `${role}@example.com`, password: seedPassword };
      const { access_token: token } = (await api.nobody.post('/auth/token', form)).json();
      const me = await api.nobody.get('/auth/me', { authorization: `Bearer ${token}` });
      expect(me.json()).toMatchObject({ role });
    }
  });
});
