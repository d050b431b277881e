import { z } from 'zod';
import { exitCode, UserError } from '../../errors.ts';
import type { App } from '../../model/app.ts';
import { buildApp } from '../../model/build.ts';
import { type CarriedIds, restoreIds } from '../../model/carry.ts';
import { parseSchema } from '../../schema/parse.ts';
import { checksum } from '../migration.ts';

/** A migration as it lies on the disk: somebody may have edited it, or written it. */
export interface StoredMigration {
  readonly id: string;
  readonly parent: string | null;
  readonly accepted: readonly string[];
  readonly formerly: readonly string[];
  readonly replaces: readonly string[];
  /** Whether its SQL is not, or not quite, what was generated. */
  readonly isEdited: boolean;
  /** By the names of its files. */
  readonly texts: Texts;
  readonly ids: CarriedIds;
  readonly layout: number;
}

type Texts = Readonly<Record<string, string>>;

interface Folder {
  readonly id: string;
  readonly texts: Texts;
}

/** In the order of their names. One that was written by hand needs no `meta.json`: it follows the one before it. */
export function readMigrations(folders: readonly Folder[]): readonly StoredMigration[] {
  return folders
    .toSorted((left, right) => (left.id < right.id ? -1 : 1))
    .map((folder, index, all) => readMigration(folder, all[index - 1]?.id ?? null));
}

/** The app whose tables the database has after it; undefined for one that was written by hand. */
export function appAfter({ id, texts, ids, layout }: StoredMigration): App | undefined {
  const text = texts['schema.yaml'];
  if (text === undefined) return undefined;
  const { schema, problems } = parseSchema(text);
  if (schema !== undefined) return { ...restoreIds(buildApp(schema), ids), layout };
  const [problem] = problems;
  throw refusal(`\`migrations/${id}/schema.yaml\` cannot be read: ${problem?.message ?? ''}`);
}

export function refusal(message: string, help = 'Restore it from version control.'): UserError {
  return new UserError('SCF514', message, { exit: exitCode.decision, help });
}

function readMigration({ id, texts }: Folder, previous: string | null): StoredMigration {
  const { parent = previous, checksums, ...facts } = readMeta(id, texts['meta.json']);
  const isEdited = ['up.sql', 'instead.sql'].some((name) => {
    const text = texts[name];
    return text !== undefined && checksums[name] !== checksum(text);
  });
  return { id, parent, ...facts, isEdited, texts };
}

function readMeta(id: string, text: string | undefined) {
  const result = shape.safeParse(text === undefined ? {} : parseJson(text));
  if (result.success) return result.data;
  const isMerged = /^<{7} /m.test(text ?? '');
  throw refusal(
    `\`migrations/${id}/meta.json\` ${isMerged ? 'has the markers of a merge in it: both branches made a migration of this name' : 'is damaged'}.`,
    isMerged
      ? `Take the folder of one side whole: \`git checkout --ours -- migrations/${id}\`.`
      : undefined,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const shape = z.object({
  parent: z.string().nullable().optional(),
  accepted: z.array(z.string()).default([]),
  formerly: z.array(z.string()).default([]),
  replaces: z.array(z.string()).default([]),
  ids: z.record(z.string(), z.string()).default({}),
  layout: z.int().positive().default(1),
  checksums: z.record(z.string(), z.string()).default({}),
});
