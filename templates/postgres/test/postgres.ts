import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startPostgres } from '../scripts/embedded-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly databaseUrl: string;
  }
}

/** Runs once before all tests: finds the PostgreSQL that TEST_DATABASE_URL names, or starts one. */
export async function setup(project: TestProject) {
  const given = process.env.TEST_DATABASE_URL;
  const url = given ?? `postgres://postgres:postgres@127.0.0.1:${await freePort()}/postgres`;
  project.provide('databaseUrl', url);
  if (given !== undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  // This data may be lost, so nothing waits for the disk.
  const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
  const server = await startPostgres({ url, folder: join(folder, 'data'), settings });
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}
