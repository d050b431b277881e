import type { Model } from '../model/app.ts';
import { schemaName } from '../model/schema-name.ts';
import type { ChangeOf } from './change.ts';
import { countRows, keptTable, sourceOf } from './counts.ts';
import type { Evolution } from './evolution.ts';
import { type Draft, hazard } from './hazard.ts';
import { identifierSql } from './sql-text.ts';

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
  const breaks = hazard('SCF441', `Code that writes no \`${target}\` fails.`);
  if (source.fill !== undefined) return source.after.default === undefined ? [breaks] : [];
  const help =
    field.role === 'key'
      ? 'Make the relation optional, fill it in, and require it then'
      : 'Give the field a `backfill` or a default';
  return [
    hazard('SCF421', `Rows that exist have no \`${target}\`. ${help}.`, {
      count: countRows(formerTable(model, evolution)),
      stops: true,
    }),
    breaks,
  ];
}

export function requireField(
  { target, before, after }: ChangeOf<'require_field'>,
  evolution: Evolution,
): readonly Draft[] {
  const breaks = hazard('SCF441', `Code that writes no \`${target}\` fails.`);
  const column = identifierSql(before.field.column);
  const missing = hazard(
    'SCF422',
    `Rows have no \`${target}\`. Give the field a \`backfill\`, or fill them in first.`,
    { count: countRows(before.model.table, `${column} IS NULL`), stops: true },
  );
  return sourceOf(evolution, after)?.fill === undefined ? [missing, breaks] : [breaks];
}

export function addKey({ target, before, after }: ChangeOf<'add_key'>, evolution: Evolution) {
  const column = identifierSql(before.field.column);
  const table = keptTable(evolution, after.model)?.after;
  const key = table?.foreignKeys.find((it) => it.column === after.field.column);
  const goal = evolution.kept.find((it) => it.after.name === key?.table)?.before.name;
  const orphans =
    goal === undefined
      ? `${column} IS NOT NULL`
      : `${column} IS NOT NULL AND ${column} NOT IN (SELECT id FROM ${identifierSql(goal)})`;
  return [
    hazard('SCF425', `Rows whose \`${target}\` is not there have to be changed first.`, {
      count: countRows(before.model.table, orphans),
      stops: true,
    }),
  ];
}

function formerTable(model: Model, evolution: Evolution): string {
  return keptTable(evolution, model)?.before.name ?? model.table;
}
