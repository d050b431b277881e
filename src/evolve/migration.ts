import { digest } from '../digest.ts';
import type { CarriedIds } from '../model/carried-ids.ts';
import type { Change } from './changes/change.ts';
import type { Hazard } from './hazards/hazard.ts';
import { spellName } from '../naming/name.ts';
import type { Engine } from '../types/field-type.ts';
import { withoutComments } from './without-comments.ts';

/** A folder of `migrations/`. */
export interface Migration {
  readonly id: string;
  readonly files: MigrationTexts & { readonly 'meta.json': string };
}

interface MigrationTexts {
  readonly 'up.sql': string;
  /** Absent if only a backup can restore the former state. */
  readonly 'down.sql'?: string;
  /** The schema file at the time of the migration. */
  readonly 'schema.yaml': string;
}

/** `meta.json`, without the checksums of the other files. */
export interface MigrationContent extends Precautions {
  readonly id: string;
  /** The migration before it. It decides the order, not the name. */
  readonly parent: string | null;
  /** Checksums of former versions of `up.sql`. A database to which one of these was applied is up to date. */
  readonly formerly?: readonly string[];
  readonly engine: Engine;
  /** Keys of accepted hazards. */
  readonly accepted: readonly string[];
  readonly down?: Precautions;
  /** Whether the code of the release before works with the new tables. */
  readonly additive?: true;
  /** For `restoreIds`, which needs them to rebuild the app from its schema. */
  readonly ids: CarriedIds;
  /** The version of the server's own tables. */
  readonly layout: number;
}

/** What the runner checks before and after it runs the SQL. */
export interface Precautions {
  readonly hazards: readonly Hazard[];
  /** Whether a SQLite file is copied first. */
  readonly backup: boolean;
  /** Tables that are rebuilt and must keep every row: new names by old ones. */
  readonly tables: Readonly<Record<string, string>>;
  /** What scaffold knows of the SQLite tables that are rebuilt, by their old names. Everything else is the owner's. */
  readonly rebuilt?: Readonly<
    Record<string, { readonly columns: readonly string[]; readonly checks: readonly string[] }>
  >;
}

export function printMigration<Texts extends MigrationTexts>(
  content: MigrationContent,
  texts: Texts,
) {
  const names = Object.entries(texts).toSorted(([left], [right]) => (left < right ? -1 : 1));
  const checksums = Object.fromEntries(names.map(([name, text]) => [name, checksum(text)]));
  // Comments of `down.sql` count, since they may record that a loss was accepted.
  const statements = { 'up.sql': checksum(withoutComments(texts['up.sql'])) };
  const meta = `${JSON.stringify({ ...content, checksums, statements }, null, 2)}\n`;
  return { id: content.id, files: { ...texts, 'meta.json': meta } };
}

/** Ignores the kind of line ends, which may differ between checkouts. */
export function checksum(text: string): string {
  return digest(text.replaceAll('\r\n', '\n'));
}

const longestMigrationName = 60;

/** A readable name: `rename_post_title`, `add_post_subtitle_and_2_more`. Only the number makes an id unique. */
export function migrationName(changes: readonly Change[], given?: string): string {
  if (given !== undefined) return cutName(slug(given));
  const [first, second, ...others] = [...new Set(changeNames(changes))];
  if (first === undefined) return 'change_tables';
  if (second === undefined) return cutName(first);
  const both = `${first}_and_${second}`;
  return others.length === 0 && both.length <= longestMigrationName
    ? both
    : `${cutName(first)}_and_${others.length + 1}_more`;
}

/** Names of changes. A constraint or index is left out if its field has a change with the same verb. */
function changeNames(changes: readonly Change[]): readonly string[] {
  const fields = new Set(changes.filter((it) => !isLimit(it)).map((it) => changeName(it)));
  return changes.map((change) => {
    const short = changeName(change);
    return isLimit(change) && !fields.has(short) ? changeName(change, change.kind) : short;
  });
}

const constraintKinds: ReadonlySet<Change['kind']> = new Set([
  ...(['add_check', 'add_index', 'add_key', 'add_unique'] as const),
  ...(['drop_check', 'drop_index', 'drop_key', 'drop_unique'] as const),
]);
const isLimit = ({ kind }: Change) => constraintKinds.has(kind);

/** A rename is named after the former name. */
function changeName(change: Change, verb: string = change.kind.replace(/_.*/, '')): string {
  const isRename = 'former' in change && verb === 'rename' && change.kind !== 'rename_links';
  return `${verb}_${slug(isRename ? change.former : change.target)}`;
}

function slug(name: string): string {
  const ascii = name.normalize('NFKD').replace(/\P{ASCII}/gu, '');
  return /[a-z\d]/i.test(ascii) ? spellName(ascii, 'snake') : 'value';
}

const cutName = (name: string) => name.slice(0, longestMigrationName).replace(/_+$/, '');

/** A warning about the history. It stops nothing. */
export interface Warning {
  readonly code: 'SCF514';
  readonly message: string;
  readonly help: string;
}
