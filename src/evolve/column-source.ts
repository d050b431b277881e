import type { App, Field } from '../model/app.ts';
import { ruleSql } from './checks.ts';
import { type Conversion, conversionOf, type Sql, unchanged } from './conversion.ts';
import type { Dialect } from './dialect.ts';
import { everyBound } from './every-bound.ts';
import { isNarrower } from './narrower.ts';
import type { Pair } from './pairs.ts';
import { identifierSql, textSql } from './sql-text.ts';
import type { Column } from './table.ts';
import { valuesOfField } from './values-of-field.ts';

/** Where the values of a column come from when the table has rows. Each function takes the SQL of the old column. */
export interface ColumnSource {
  readonly after: Column;
  /** Absent for a new column. */
  readonly before?: Column;
  readonly value: Sql;
  /** Whether values are other than they were. */
  readonly isCopied: boolean;
  /** Holds for a value that has no place in the new column. */
  readonly misfits?: Sql;
  /** Holds for a value of which something is lost. */
  readonly loses?: Sql;
  /** Stands for values that are missing or have no place. */
  readonly fill?: string;
  /** Whether every row is filled with a value of its own. */
  readonly isDrawn?: true;
  /** The table whose ids these are, when they become others. */
  readonly rekeyed?: string;
}

export interface World {
  readonly apps: Pair<App>;
  readonly dialect: Dialect;
}

/** A new column holds its backfill or default; a required one without either can be added to an empty table only. */
export function newColumnSource(after: Column, { dialect }: World): ColumnSource {
  const constant = backfillSql(after.field, dialect) ?? after.default;
  const fill = constant ?? generatedSql(after, dialect);
  return {
    after,
    value: () => fill ?? 'NULL',
    isCopied: false,
    ...(fill === undefined ? {} : { fill }),
    ...(constant === undefined && after.field.type.kind === 'uuid' ? { isDrawn: true } : {}),
  };
}

export function keptColumnSource({ before, after }: Pair<Column>, world: World): ColumnSource {
  const types = { before: before.field.type, after: after.field.type };
  const conversion = conversionOf(types, world.dialect.conversions);
  if (conversion === undefined) {
    const source = newColumnSource(after, world);
    const isMissing = source.fill === undefined && !after.nullable;
    return {
      ...source,
      before,
      loses: (old) => `${old} IS NOT NULL`,
      ...(isMissing ? { misfits: () => 'true' } : {}),
    };
  }
  const fields = { before: before.field, after: after.field };
  const converted = withRenamedValues(conversion, fields, world);
  const misfits = misfitSql({ before: conversion, after: converted }, fields, world);
  const isRequired = before.nullable && !after.nullable;
  const fill =
    misfits !== undefined || isRequired ? backfillSql(after.field, world.dialect) : undefined;
  return {
    before,
    after,
    value: (old) => filled(converted.value(old), misfits?.(old), { old, fill, isRequired }),
    isCopied: converted === unchanged && fill === undefined,
    ...(misfits === undefined ? {} : { misfits }),
    ...(converted.loses === undefined ? {} : { loses: converted.loses }),
    ...(fill === undefined ? {} : { fill }),
  };
}

/** The id's kind changes: what each old id has become is kept in a table until all keys have followed. */
export function rekeyedColumnSource(pair: Pair<Column>, table: string): ColumnSource {
  return {
    ...pair,
    value: (old) => `(SELECT new_id FROM ${identifierSql(idsTable(table))} WHERE old_id = ${old})`,
    isCopied: false,
    rekeyed: table,
  };
}

export function idsTable(table: string): string {
  return `${table}__ids`;
}

interface Filling {
  readonly old: string;
  readonly fill: string | undefined;
  readonly isRequired: boolean;
}

function filled(value: string, misfit: string | undefined, filling: Filling): string {
  const { old, fill, isRequired } = filling;
  if (fill === undefined) return value;
  if (misfit === undefined) return `coalesce(${value}, ${fill})`;
  const missing = isRequired ? `${old} IS NULL OR ` : '';
  return `CASE WHEN ${missing}${misfit} THEN ${fill} ELSE ${value} END`;
}

function backfillSql({ type, backfill }: Field, dialect: Dialect): string | undefined {
  return backfill === undefined ? undefined : dialect.literals[type.kind](backfill);
}

function generatedSql({ field }: Column, { generated }: Dialect): string | undefined {
  const { kind } = field.type;
  if (field.default === undefined || field.default.kind === 'literal') return undefined;
  return kind === 'date' || kind === 'time' || kind === 'datetime' || kind === 'uuid'
    ? generated[kind]
    : undefined;
}

function withRenamedValues(
  conversion: Conversion,
  fields: Pair<Field>,
  { apps }: World,
): Conversion {
  const renamed = renamedValues(fields, apps);
  if (renamed.length === 0) return conversion;
  const whens = renamed.map((it) => `WHEN ${textSql(it.before)} THEN ${textSql(it.after)}`);
  return { value: (old) => `CASE ${old} ${whens.join(' ')} ELSE ${old} END` };
}

function renamedValues(fields: Pair<Field>, apps: Pair<App>): readonly Pair<string>[] {
  const present = new Map(
    valuesOfField(fields.after, apps.after).map(({ id, value }) => [id, value]),
  );
  return valuesOfField(fields.before, apps.before).flatMap(({ id, value }) => {
    const after = present.get(id);
    return after === undefined || after === value ? [] : [{ before: value, after }];
  });
}

/** Undefined when every old value has a place. */
function misfitSql(
  conversions: Pair<Conversion>,
  fields: Pair<Field>,
  world: World,
): Sql | undefined {
  const { fails } = conversions.before;
  if (fails === undefined && !isNarrower(fields, world.apps)) return undefined;
  const rule = ruleSql(fields.after, world.apps.after, { ...world.dialect, bounds: everyBound });
  return (old: string) => {
    const value = conversions.after.value(old);
    const holds = rule(value === old ? old : `(${value})`);
    if (fails === undefined) return `NOT (${holds ?? 'true'})`;
    if (holds === undefined) return fails(old);
    return `CASE WHEN ${fails(old)} THEN true ELSE NOT (${holds}) END`;
  };
}
