import type { Naming } from '../../schema/language.ts';
import type { DraftRelation } from '../draft.ts';
import type { Notebook } from '../notes.ts';
import type { Catalogue, FoundColumn, FoundTable } from '../catalogue.ts';
import type { enumsIn } from './enums.ts';
import type { convertRules } from './rules.ts';
import type { storageIn } from './storage.ts';

/** What all tables share. */
export interface ImportScope {
  readonly catalogue: Catalogue;
  /** Names of models, keyed by table. */
  readonly names: ReadonlyMap<string, string>;
  readonly naming: Naming;
  readonly notes: Notebook;
  readonly enums: ReturnType<typeof enumsIn>;
  readonly joins: readonly FoundTable[];
  readonly storage: ReturnType<typeof storageIn>;
}

/** What is known of a table before its fields are converted. */
export interface TableScope extends ImportScope {
  readonly model: string;
  /** The name of each column in the schema: of a field, a relation, a time or the id. */
  readonly members: Map<string, string>;
  readonly rules: ReturnType<typeof convertRules>;
  readonly relations: ReadonlyMap<string, DraftRelation>;
  readonly deleted: FoundColumn | undefined;
}
