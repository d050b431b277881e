import { schemaName } from '../model/schema-name.ts';
import type { Change } from './changes/change.ts';
import { placeName } from './changes/place-name.ts';

const longest = 60;

/** `rename_post_title`, `add_post_subtitle_and_2_more`: for the eye, ids being told apart by their number. */
export function migrationName(changes: readonly Change[], given?: string): string {
  if (given !== undefined) return cut(slug(given));
  const [first, second, ...others] = [...new Set(changes.map(changeName))];
  if (first === undefined) return 'change_tables';
  if (second === undefined) return cut(first);
  const both = `${first}_and_${second}`;
  return others.length === 0 && both.length <= longest
    ? both
    : `${cut(first)}_and_${others.length + 1}_more`;
}

function changeName(change: Change): string {
  const verb = change.kind.split('_')[0] ?? 'change';
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
  const words = name.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1_$2').toLowerCase();
  return words.replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, '') || 'value';
}

function cut(name: string): string {
  return name.slice(0, longest).replace(/_+$/, '');
}
