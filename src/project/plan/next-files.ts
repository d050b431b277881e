import type { App } from '../../model/app.ts';
import type { StructuredMerge } from '../../merge/merge.ts';
import type { RenderedFile } from '../../render/rendered-file.ts';
import type { Element } from './elements.ts';
import type { Gone, OnConflict } from './outcome.ts';
import type { History } from '../history.ts';
import type { HistoryStep } from './schema-step.ts';
import type { Renamed } from './spellings.ts';

/** The next state of a project's files. */
export interface NextFiles {
  readonly app: App;
  readonly schemaText: string;
  readonly rendered: readonly RenderedFile[];
  /** What no template makes any more, by path. */
  readonly gone: ReadonlyMap<string, Gone>;
  readonly elements: readonly Element[];
  readonly renamed: Renamed;
  readonly onConflict: OnConflict;
  readonly mergeTypeScript?: StructuredMerge | undefined;
  readonly only: readonly string[];
  readonly restore: readonly string[];
  readonly history: History;
  readonly step: HistoryStep;
}
