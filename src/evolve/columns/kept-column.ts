import type { Field } from '../../model/app.ts';
import { ruleSql } from '../tables/checks.ts';
import { backfillSql, type ColumnSource, newColumnSource, type World } from './column-source.ts';
import { conversionOf, unchanged } from '../../types/all.ts';
import type { Conversion, Sql } from '../../types/field-type.ts';
import { enumColumnSource, isSameEnum } from './enum-column.ts';
import { everyBound } from './every-bound.ts';
import { isNarrower } from './narrower.ts';
import type { Pair } from '../pairs.ts';
import type { Column } from '../tables/table.ts';

/** What becomes of the values of a column that stays. */
export function keptColumnSource(columns: Pair<Column>, world: World): ColumnSource {
  const fields = { before: columns.before.field, after: columns.after.field };
  if (isSameEnum(fields, world.apps)) return enumColumnSource(columns, world);
  const types = { before: fields.before.type, after: fields.after.type };
  const conversion = conversionOf(types, world.dialect.engine);
  return conversion === undefined
    ? lostColumnSource(columns, world)
    : convertedColumnSource(columns, conversion, world);
}

/** As if the column were dropped and added. */
function lostColumnSource({ before, after }: Pair<Column>, world: World): ColumnSource {
  const source = newColumnSource(after, world);
  const isMissing = source.fill === undefined && !after.nullable;
  return {
    ...source,
    before,
    loses: (old) => `${old} IS NOT NULL`,
    ...(isMissing ? { misfits: () => 'true' } : {}),
  };
}

function convertedColumnSource(
  { before, after }: Pair<Column>,
  conversion: Conversion,
  world: World,
): ColumnSource {
  const misfits = misfitSql(conversion, { before: before.field, after: after.field }, world);
  const isRequired = before.nullable && !after.nullable;
  const isFillable = misfits !== undefined || isRequired;
  const fill = isFillable ? backfillSql(after.field, world.dialect) : undefined;
  return {
    before,
    after,
    value: (old) => filled(conversion.value(old), misfits?.(old), { old, fill, isRequired }),
    isCopied: conversion === unchanged && fill === undefined,
    ...(misfits === undefined ? {} : { misfits }),
    ...(conversion.loses === undefined ? {} : { loses: conversion.loses }),
    ...(fill === undefined ? {} : { fill }),
  };
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

/** Undefined when every old value has a place. */
function misfitSql({ value, fails }: Conversion, fields: Pair<Field>, world: World) {
  if (fails === undefined && !isNarrower(fields, world.apps)) return undefined;
  const rule = ruleSql(fields.after, world.apps.after, { ...world.dialect, bounds: everyBound });
  const misfits: Sql = (old) => {
    const converted = value(old);
    const holds = rule(converted === old ? old : `(${converted})`);
    if (fails === undefined) return `NOT (${holds ?? 'true'})`;
    if (holds === undefined) return fails(old);
    return `CASE WHEN ${fails(old)} THEN true ELSE NOT (${holds}) END`;
  };
  return misfits;
}
