import { parseJson } from '../../json.ts';
import { z } from 'zod';
import { UserError, exitCode } from '../../errors.ts';
import type { App } from '../../model/app.ts';
import { buildApp } from '../../model/build.ts';
import { type CarriedIds, restoreIds } from '../../model/carried-ids.ts';
import { parseSchema } from '../../schema/parse.ts';
import { checksum } from '../migration.ts';

/** A migration on disk, perhaps written or edited by its owner. */
export interface StoredMigration {
  readonly id: string;
  readonly parent: string | null;
  /** Whether its `meta.json` names its parent. Otherwise its name decides. */
  readonly isPlaced: boolean;
  readonly accepted: readonly string[];
  readonly formerly: readonly string[];
  /** Whether its SQL differs from the generated one. */
  readonly isEdited: boolean;
  /** Whether it only adds to tables, rebuilds none of them, and was not edited. */
  readonly isAddition: boolean;
  readonly replaces: readonly string[];
  /** Texts by file name. */
  readonly texts: StoredTexts;
  readonly ids: CarriedIds;
  readonly layout: number;
}

type StoredTexts = Readonly<Record<string, string>>;

interface Folder {
  readonly id: string;
  readonly texts: StoredTexts;
}

/**
 * Reads migrations in the order of their names. One without `meta.json` was written by hand and follows the one before
 * it. After a merge, that may be one of another branch, so `recorded` tells which are ours.
 */
export function readMigrations(
  folders: readonly Folder[],
  recorded: readonly string[] = [],
): readonly StoredMigration[] {
  const isOurs = ({ id }: Folder) => recorded.includes(id);
  const migrations = folders
    .toSorted((left, right) => (left.id < right.id ? -1 : 1))
    .map((folder, index, all) => {
      const before = all.slice(0, index);
      const previous = before.findLast((it) => isOurs(it) === isOurs(folder)) ?? before.at(-1);
      return readMigration(folder, previous?.id ?? null);
    });
  for (const migration of migrations) refuseUnclear(migration, migrations, recorded);
  return migrations;
}

/** Throws if the first migration of another branch has the number of one of ours and does not name its parent. */
function refuseUnclear(
  { id, parent, isPlaced }: StoredMigration,
  all: readonly StoredMigration[],
  recorded: readonly string[],
): void {
  if (isPlaced || parent === null || recorded.includes(id) || !recorded.includes(parent)) return;
  if (numberOf(parent) !== numberOf(id) || !all.some((it) => it.parent === id)) return;
  throw makeRefusal(
    `\`migrations/${id}\` came from another branch and does not name the migration that it follows.`,
    `Write \`{ "parent": "…" }\` into \`migrations/${id}/meta.json\`, with the last migration of both branches, and run \`npx scaffold regenerate\` again.`,
  );
}

export const numberOf = (id: string) => Number.parseInt(id, 10) || 0;

/** Writes down the parents of hand-written migrations, since names of another branch may sort between them. */
export function listParentEdits(migrations: readonly StoredMigration[]): readonly FileEdit[] {
  return migrations.filter(({ isPlaced }) => !isPlaced).map((it) => placeBehind(it, it.parent));
}

/** A new text for a file below `migrations/`. */
export interface FileEdit {
  readonly path: string;
  readonly content: string;
}

export function placeBehind({ id, texts }: StoredMigration, parent: string | null): FileEdit {
  const meta: unknown = JSON.parse(texts['meta.json'] ?? '{}');
  const content = `${JSON.stringify({ ...Object(meta), parent }, null, 2)}\n`;
  return { path: `migrations/${id}/meta.json`, content };
}

/** The app after a migration; undefined for one that was written by hand. */
export function findAppAfter({ id, texts, ids, layout }: StoredMigration): App | undefined {
  const text = texts['schema.yaml'];
  if (text === undefined) return undefined;
  const { schema, problems } = parseSchema(text);
  if (schema !== undefined) return { ...restoreIds(buildApp(schema), ids), layout };
  const [problem] = problems;
  throw makeRefusal(`\`migrations/${id}/schema.yaml\` cannot be read: ${problem?.message ?? ''}`);
}

export function makeRefusal(message: string, help = 'Restore it from version control.'): UserError {
  return new UserError('SCF514', message, { exit: exitCode.decision, help });
}

function readMigration({ id, texts }: Folder, previous: string | null): StoredMigration {
  const { parent, checksums, additive, rebuilt, ...content } = readMeta(id, texts['meta.json']);
  const isPlaced = parent !== undefined;
  const isEdited = ['up.sql', 'instead.sql'].some((name) => {
    const text = texts[name];
    return text !== undefined && checksums[name] !== checksum(text);
  });
  const isAddition = additive && rebuilt === undefined && !isEdited;
  const stored = { id, parent: isPlaced ? parent : previous, isPlaced };
  return { ...stored, ...content, isEdited, isAddition, texts };
}

function readMeta(id: string, text: string | undefined) {
  const result = migrationShape.safeParse(text === undefined ? {} : parseJson(text));
  if (result.success) return result.data;
  const isMerged = /^<{7} /m.test(text ?? '');
  throw makeRefusal(
    `\`migrations/${id}/meta.json\` ${isMerged ? 'contains conflict markers: both branches made a migration with this name' : 'is damaged'}.`,
    isMerged
      ? `Take the whole folder of one side: \`git checkout --ours -- migrations/${id}\`.`
      : undefined,
  );
}

const migrationShape = z.object({
  parent: z.string().nullable().optional(),
  accepted: z.array(z.string()).default([]),
  formerly: z.array(z.string()).default([]),
  replaces: z.array(z.string()).default([]),
  additive: z.boolean().default(false),
  rebuilt: z.unknown().optional(),
  ids: z.record(z.string(), z.string()).default({}),
  layout: z.int().positive().default(1),
  checksums: z.record(z.string(), z.string()).default({}),
});
