import type { Migration } from '../../../src/evolve/migration.ts';

/** A database of either engine, as the random chains use it. */
export interface Store {
  run(sql: string): Promise<void>;
  values(query: string): Promise<readonly (readonly unknown[])[]>;
  rows(query: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** As a project's runner does; throws, and changes nothing, when it cannot be applied. */
  apply(migration: Migration, way?: 'up.sql' | 'down.sql'): Promise<void>;
  introspect(): Promise<unknown>;
  close(): Promise<void>;
}
