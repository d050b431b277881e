import { schemaName } from '../naming/name.ts';
import type { Change } from './changes/change.ts';
import { placeName } from './changes/place-name.ts';

const longest = 60;

/** Rules for a field; what is told of a field already is not told of its rules. */
const rules: ReadonlySet<string> = new Set(['index', 'key', 'unique']);

/** `rename_post_title`, `add_post_subtitle_and_2_more`: for the eye, ids being told apart by their number. */
export function migrationName(changes: readonly Change[], given?: string): string {
  if (given !== undefined) return cut(slug(given));
  const [first, second, ...others] = [...new Set(changeNames(changes))];
  if (first === undefined) return 'change_tables';
  if (second === undefined) return cut(first);
  const both = `${first}_and_${second}`;
  return others.length === 0 && both.length <= longest
    ? both
    : `${cut(first)}_and_${others.length + 1}_more`;
}

function changeNames(changes: readonly Change[]): readonly string[] {
  const fields = new Set(changes.filter((it) => !isRule(it)).map(shortName));
  return changes.map((change) => {
    const short = shortName(change);
    return isRule(change) && !fields.has(short) ? `${change.kind}_${slug(subject(change))}` : short;
  });
}

function isRule({ kind }: Change): boolean {
  return rules.has(kind.split('_')[1] ?? '');
}

function shortName(change: Change): string {
  const [verb = 'change'] = change.kind.split('_');
  return `${verb}_${slug(subject(change))}`;
}

/** What is renamed goes by its former name: the new one is in the file. */
function subject(change: Change): string {
  switch (change.kind) {
    case 'rename_field':
      return placeName(change.before);
    case 'rename_model':
      return schemaName(change.before);
    case 'rename_value':
      return `${change.before.enum.name}.${change.before.value}`;
    default:
      return change.target;
  }
}

function slug(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '');
  const words = plain.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1_$2').toLowerCase();
  return words.replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, '') || 'value';
}

function cut(name: string): string {
  return name.slice(0, longest).replace(/_+$/, '');
}
