import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withDatabase } from '../../src/commands/edit-schema.ts';
import type { RenderedFile } from '../../src/render/rendered-file.ts';
import { emit } from './emit.ts';
import { root } from './root.ts';
import type { Engine } from '../../src/types/field-type.ts';

/** A whole project that is committed, for people to read and tests to run. */
export interface GoldenApp {
  readonly name: string;
  readonly engine: Engine;
  readonly folder: string;
  render(): readonly RenderedFile[];
}

const home = join(root, 'fixtures/apps');
const engines: readonly Engine[] = ['sqlite', 'postgres'];

export const goldenApps: readonly GoldenApp[] = readdirSync(home)
  .toSorted()
  .flatMap((name) => engines.map((engine) => goldenApp(name, engine)));

function goldenApp(name: string, engine: Engine): GoldenApp {
  return {
    name,
    engine,
    folder: join(home, name, engine),
    render() {
      const file = 'schema.yaml';
      const text = readFileSync(join(home, name, file), 'utf8');
      return emit(withDatabase({ text, file }, engine).text);
    },
  };
}
