import { tablePlace } from '../changes/table-place.ts';
import type { ColumnSource } from '../columns/column-source.ts';
import { countRows } from './counts.ts';
import type { Evolution } from '../evolution.ts';
import { hazard, type Hazard } from './hazard.ts';

/** Tables that PostgreSQL writes anew while nobody may read them. SQLite has one writer in any case. */
export function lockHazards({ apps, kept }: Evolution): readonly Hazard[] {
  if (apps.after.database !== 'postgres') return [];
  return kept
    .filter(({ columns }) => columns.some(rewrites))
    .map(({ before, after }) => {
      const message = `The table \`${after.name}\` is rewritten; nobody can use it meanwhile.`;
      const draft = hazard('SCF431', message, { count: countRows(before.name) });
      return { ...draft, target: tablePlace(after, apps.after) };
    });
}

function rewrites({ before, after, value, rekeyed }: ColumnSource): boolean {
  if (before === undefined) return false;
  if (rekeyed !== undefined) return true;
  return before.type !== after.type && !(value('it') === 'it' && isWider(before.type, after.type));
}

/** Of these PostgreSQL only changes what it knows of the column. */
function isWider(before: string, after: string): boolean {
  const [was, is] = [before.replace(' COLLATE "C"', ''), after.replace(' COLLATE "C"', '')];
  const [wasLength, isLength] = [varcharLength(was), varcharLength(is)];
  if (wasLength !== undefined)
    return is === 'text' || (isLength !== undefined && isLength >= wasLength);
  const [from, to] = [numericSize(was), numericSize(is)];
  return (
    from !== undefined &&
    to !== undefined &&
    from.scale === to.scale &&
    to.precision >= from.precision
  );
}

function varcharLength(type: string): number | undefined {
  const length = /^varchar\((\d+)\)$/.exec(type)?.[1];
  return length === undefined ? undefined : Number(length);
}

function numericSize(type: string) {
  const [, precision, scale] = /^numeric\((\d+), (\d+)\)$/.exec(type) ?? [];
  return precision === undefined
    ? undefined
    : { precision: Number(precision), scale: Number(scale) };
}
