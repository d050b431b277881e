import type { Field, Model } from '../../model/app.ts';
import { schemaName } from '../../naming/name.ts';
import { conversionOf, unchanged } from '../../types/all.ts';
import { textSql } from '../../types/sql.ts';
import type { ChangeOf, Place } from '../changes/change.ts';
import type { Evolution, KeptTable } from '../evolution.ts';
import { identifierSql } from '../sql/sql-text.ts';
import type { ColumnSource } from '../tables/column-source.ts';
import { breaksOldCode, type Draft, hazard } from './hazard.ts';

/** Values that lose something on the way, and those that have no place in the new column. */
export function convertField(
  { target, before, after }: ChangeOf<'change_type' | 'change_bounds'>,
  evolution: Evolution,
): readonly Draft[] {
  const source = sourceOf(evolution, after);
  if (source === undefined) return [];
  const column = identifierSql(before.field.column);
  const count = (condition: string) => countRows(before.model.table, condition);
  const drafts: Draft[] = [];
  if (source.loses !== undefined) {
    drafts.push(
      hazard('SCF413', `Values of \`${target}\` lose what their new type cannot hold.`, {
        count: count(source.loses(column)),
      }),
    );
  }
  if (source.misfits !== undefined) {
    const misfits = count(source.misfits(column));
    drafts.push(
      source.fill === undefined
        ? hazard('SCF424', `Values that \`${target}\` does not allow have to be changed first.`, {
            count: misfits,
            stops: true,
          })
        : hazard('SCF414', `Values that \`${target}\` does not allow become its \`backfill\`.`, {
            count: misfits,
          }),
    );
  }
  const types = { before: before.field.type, after: after.field.type };
  const isSame = conversionOf(types, evolution.dialect.engine) === unchanged;
  if (!isSame) return [...drafts, breaksOldCode];
  return source.misfits === undefined ? drafts : [...drafts, refusesWrites(target)];
}

function refusesWrites(what: string): Draft {
  return hazard(
    'SCF441',
    `Servers that still run the old code fail where they write what \`${what}\` no longer allows.`,
  );
}

/**
 * Rows that have the value get the backfill of the field; where one has none, there may be no such rows. A field that
 * is of another type from now on is looked at for itself.
 */
export function dropValue(
  { before }: ChangeOf<'drop_value'>,
  evolution: Evolution,
): readonly Draft[] {
  const places = before.places.filter(
    (place) => sourceOf(evolution, place)?.after.field.type.kind === 'enum',
  );
  if (places.length === 0) return [];
  const unfilled = places.filter((place) => sourceOf(evolution, place)?.fill === undefined);
  const value = textSql(before.value);
  const breaks = hazard(
    'SCF441',
    `Servers that still run the old code fail where they write \`${before.value}\`.`,
  );
  if (unfilled.length > 0) {
    const names = unfilled.map(({ model, field }) => `\`${schemaName(model)}.${field.name}\``);
    return [
      hazard(
        'SCF415',
        `Rows whose ${names.join(' or ')} is \`${before.value}\` have to be changed first, or the field needs a \`backfill\`.`,
        { count: countHolders(unfilled, value), stops: true },
      ),
      breaks,
    ];
  }
  return [
    hazard('SCF415', `Rows that hold \`${before.value}\` get the field's \`backfill\`.`, {
      count: countHolders(places, value),
    }),
    breaks,
  ];
}

function countHolders(places: readonly Place[], value: string): string {
  const counts = places.map(({ model, field }) =>
    countRows(model.table, `${identifierSql(field.column)} = ${value}`),
  );
  return counts.length === 1
    ? counts.join()
    : `SELECT ${counts.map((it) => `(${it})`).join(' + ')}`;
}

/** Queries on the database as it is before the migration: each gives one number. */

export function countRows(table: string, condition?: string): string {
  const where = condition === undefined ? '' : ` WHERE ${condition}`;
  return `SELECT count(*) FROM ${identifierSql(table)}${where}`;
}

/** Rows that would share a unique key with another; what is NULL is like nothing else. */
export function countDuplicates(
  { before, after, columns }: KeptTable,
  names: readonly string[],
): string {
  const deleted = after.columns.find(({ field }) => field.role === 'deleted_at');
  const isDeleted = before.columns.find(({ field }) => field.id === deleted?.field.id);
  const values = names.map((name) => oldValue(columns.find((it) => it.after.name === name)));
  const places = values.map((_, index) => index + 2).join(', ');
  const conditions = [
    ...values.map((value) => `${value} IS NOT NULL`),
    ...(isDeleted === undefined ? [] : [`${identifierSql(isDeleted.name)} IS NULL`]),
  ];
  const groups = `SELECT count(*) AS many, ${values.join(', ')} FROM ${identifierSql(before.name)} WHERE ${conditions.join(' AND ')} GROUP BY ${places} HAVING count(*) > 1`;
  return `SELECT coalesce(sum(many), 0) FROM (${groups}) AS alike`;
}

/** The SQL of a column's value to be, from the table as it is; an id that becomes another one stands for that. */
function oldValue(source: ColumnSource | undefined): string {
  if (source === undefined) return 'NULL';
  const old = source.before === undefined ? 'NULL' : identifierSql(source.before.name);
  return source.rekeyed === undefined ? source.value(old) : old;
}

export function keptTable(evolution: Evolution, model: Pick<Model, 'id'>): KeptTable | undefined {
  return evolution.kept.find(({ after }) => after.id === model.id);
}

export function sourceOf(
  evolution: Evolution,
  place: { readonly model: Model; readonly field: Pick<Field, 'id'> },
): ColumnSource | undefined {
  const table = keptTable(evolution, place.model);
  return table?.columns.find(({ after }) => after.field.id === place.field.id);
}
