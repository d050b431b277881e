import { join } from 'node:path';
import type { Engine } from '../../../src/model/app.ts';
import { root } from '../../support/root.ts';

/** What a project's commands use of its runner. */
export interface Runner {
  migrate(url: string, options: Options): Promise<readonly string[]>;
  rollback(url: string, options: Options): Promise<string>;
  findDrift(url: string, schemaSql: string): Promise<readonly Difference[]>;
}

interface Options {
  readonly folder: string;
  readonly report?: (line: string) => void;
  readonly timeout?: number;
}

export interface Difference {
  readonly kind: 'missing' | 'different' | 'extra';
  readonly object: string;
  readonly expected?: string;
  readonly found?: string;
}

/** The runner as a project has it: the files of a golden app. */
export async function emittedRunner(engine: Engine): Promise<Runner> {
  const folder = join(root, 'fixtures/apps/minimal', engine, 'src/database');
  const { migrate, rollback } = await import(join(folder, 'migrate.ts'));
  const { findDrift } = await import(join(folder, 'migrations/facts.ts'));
  return { migrate, rollback, findDrift };
}
