import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { migrate, migrationStatus } from '../src/database/migrate.ts';
import { isDrift } from '../src/database/migrations/checks.ts';
import { readSchemaSql } from '../src/database/migrations/read.ts';
import { findDrift } from '../src/database/migrations/facts.ts';
import { samples } from '../src/database/samples.ts';
import { seed } from '../src/database/seed.ts';
import { system } from '../src/lib/access.ts';
import { listRows } from '../src/database/insert-row.ts';
import { startTestApp } from './app.ts';

const api = await startTestApp();
const { config, database, reader } = api.app;

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
  it('fills every model, again and again', async () => {
    const once = await seed({ database, reader, count: 20, password: '' });
    const twice = await seed({ database, reader, count: 20, password: '' });
    for (const [index, { resource }] of Object.values(samples).entries()) {
      const rows = (once[index]?.rows ?? 0) + (twice[index]?.rows ?? 0);
      const { total } = await listRows(reader, resource, { viewer: system, query: 'limit=0' });
      expect([resource.name, total]).toEqual([resource.name, rows]);
      expect(rows).toBeGreaterThan(0);
    }
  });
});
