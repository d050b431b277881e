import type { Model } from '../../model/app.ts';
import { schemaName } from '../../naming/name.ts';
import type { ChangeOf } from '../changes/change.ts';
import { countRows, keptTable, sourceOf } from './counts.ts';
import type { Evolution } from '../evolution.ts';
import { type Draft, hazard } from './hazard.ts';
import { missingTarget } from './keys.ts';
import { identifierSql } from '../sql/sql-text.ts';

export function dropField({ target, before }: ChangeOf<'drop_field'>): readonly Draft[] {
  const { model, field } = before;
  const count = countRows(model.table, `${identifierSql(field.column)} IS NOT NULL`);
  if (field.role === 'deleted_at') {
    return [
      hazard('SCF412', `Rows of \`${schemaName(model)}\` that were deleted are there again.`, {
        count,
      }),
    ];
  }
  return [hazard('SCF412', `The values of \`${target}\` are deleted.`, { count })];
}

export function addField(
  { target, after }: ChangeOf<'add_field'>,
  evolution: Evolution,
): readonly Draft[] {
  const { model, field } = after;
  const source = sourceOf(evolution, after);
  if (field.nullable || source === undefined) return [];
  const breaks = writesNone(target);
  const table = formerTable(model, evolution);
  if (source.fill !== undefined) {
    const told = source.after.default === undefined ? [breaks] : [];
    return [...missingTarget(after, { table, evolution }), ...told];
  }
  const help =
    field.role === 'key'
      ? 'Give the relation a `backfill`; or make it optional, fill it in, and require it then'
      : 'Give the field a `backfill` or a default';
  return [
    hazard('SCF421', `Existing rows have no \`${target}\`. ${help}.`, {
      count: countRows(table),
      stops: true,
    }),
    breaks,
  ];
}

export function requireField(
  { target, before, after }: ChangeOf<'require_field'>,
  evolution: Evolution,
): readonly Draft[] {
  const breaks = writesNone(target);
  const column = identifierSql(before.field.column);
  const missing = hazard(
    'SCF422',
    `Rows have no \`${target}\`. Give the field a \`backfill\`, or fill them in first.`,
    { count: countRows(before.model.table, `${column} IS NULL`), stops: true },
  );
  if (sourceOf(evolution, after)?.fill === undefined) return [missing, breaks];
  const rows = { table: before.model.table, condition: `${column} IS NULL`, evolution };
  return [...missingTarget(after, rows), breaks];
}

function writesNone(target: string): Draft {
  return hazard(
    'SCF441',
    `Servers that still run the old code write no \`${target}\`, and fail once this is applied.`,
  );
}

function formerTable(model: Model, evolution: Evolution): string {
  return keptTable(evolution, model)?.before.name ?? model.table;
}
