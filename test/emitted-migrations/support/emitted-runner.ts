import { join } from 'node:path';
import { root } from '../../support/root.ts';
import type { Engine } from '../../../src/types/field-type.ts';

/** What a project's commands use of its runner. */
export interface Runner {
  migrate(url: string, options: Options): Promise<readonly string[]>;
  baseline(url: string, options: Options & { readonly apply?: boolean }): Promise<Baseline>;
  rollback(url: string, options: Options): Promise<string>;
  listDrift(url: string, schemaSql: string): Promise<readonly Difference[]>;
}

interface Baseline {
  readonly state: 'refused' | 'written' | 'outdated' | 'taken';
  readonly file: string;
  readonly found: {
    readonly steps: readonly { readonly title: string }[];
    readonly obstacles: readonly string[];
    readonly own: readonly string[];
  };
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

/** The runner as a project has it; what only tests use comes from its source. */
export async function emittedRunner(engine: Engine): Promise<Runner> {
  const { migrate, baseline, rollback } = await import(
    join(root, `templates/${engine}/migrations/migrate.js`)
  );
  const { listDrift } = await import(join(root, `runner/${engine}/schema.ts`));
  return { migrate, baseline, rollback, listDrift };
}
