import { present } from '../../present.ts';
import type { Field } from '../../model/app.ts';
import { findEnum, listEnumValues } from '../../model/lookups.ts';
import { findConversion, copyColumn } from '../../types/all.ts';
import type { Conversion, Sql } from '../../types/field-type.ts';
import { unchangedSql, textSql } from '../../types/sql.ts';
import { everyBound } from '../dialect.ts';
import type { Pair } from '../pairs.ts';
import { ruleSql } from './checks.ts';
import {
  backfillSql,
  type ColumnSource,
  newColumnSource,
  type EngineApps,
} from './column-source.ts';
import type { Column } from './table.ts';
import { isNarrower } from './narrower.ts';
import { findMomentColumn } from '../../types/found-columns.ts';

/** The source of a kept column. Values of an enum's type are read as texts. */
export function keptColumnSource(columns: Pair<Column>, engineApps: EngineApps): ColumnSource {
  const source = sourceOfValues(columns, engineApps);
  const { before, after } = columns;
  if ((before.values ?? after.values) === undefined) return source;
  const { isOneTime: _, value, misfitSql, lossSql, ...others } = source;
  if (before.type === after.type) {
    return {
      ...source,
      asked: (old) => value(convertEnumValue(textCast(old), before, engineApps)),
    };
  }
  const inText = (sql: Sql | undefined): Sql | undefined =>
    before.values && sql ? (old) => sql(textCast(old)) : sql;
  return {
    ...others,
    value: before.values ? (old) => value(textCast(old)) : value,
    ...present({ misfitSql: inText(misfitSql), lossSql: inText(lossSql) }),
  };
}

const textCast: Sql = (value) => `${value}::text`;

/** Values of a type are renamed with the type. */
function convertEnumValue(old: string, { field }: Column, { apps }: EngineApps): string {
  const cases = listEnumValues(field, apps.before).flatMap(({ value, was = value }) =>
    was === value ? [] : [{ is: textSql(was), become: textSql(value) }],
  );
  return mapping(cases)(old);
}

function sourceOfValues(columns: Pair<Column>, engineApps: EngineApps): ColumnSource {
  const { apps, dialect } = engineApps;
  const [before, after] = [columns.before.field, columns.after.field];
  const former = findEnum(before, apps.before);
  if (former !== undefined && former.id === findEnum(after, apps.after)?.id) {
    return enumColumnSource(columns, engineApps);
  }
  const conversion = findConversion({ before: before.type, after: after.type }, dialect.engine);
  return conversion === undefined
    ? lostColumnSource(columns, engineApps)
    : convertedColumnSource(columns, conversion, engineApps);
}

/** Treats the column as dropped and added, except that NULL stays NULL where it may. */
function lostColumnSource({ before, after }: Pair<Column>, engineApps: EngineApps): ColumnSource {
  const source = newColumnSource(after, engineApps);
  const { fill } = source;
  const isMissing = fill === undefined && !after.nullable;
  // PostgreSQL takes a constant inside of CASE for text.
  const type = after.values ? 'text' : after.type;
  const typed = engineApps.dialect.engine === 'postgres' ? `${fill}::${type}` : fill;
  return {
    ...source,
    before,
    ...(before.nullable && after.nullable && fill !== undefined
      ? { value: (old) => `CASE WHEN ${old} IS NOT NULL THEN ${typed} END` }
      : {}),
    lossSql: (old) => `${old} IS NOT NULL`,
    ...(isMissing ? { misfitSql: () => 'true' } : {}),
  };
}

function convertedColumnSource(
  { before, after }: Pair<Column>,
  conversion: Conversion,
  engineApps: EngineApps,
): ColumnSource {
  const misfitSql = findMisfit(
    conversion,
    { before: before.field, after: after.field },
    engineApps,
  );
  const isRequired = before.nullable && !after.nullable;
  const isFillable = misfitSql !== undefined || isRequired;
  const fill = isFillable ? backfillSql(after.field, engineApps.dialect) : undefined;
  const filled: Sql = (old) => {
    const converted = conversion.value(old);
    if (misfitSql === undefined) return `coalesce(${converted}, ${fill})`;
    const missing = isRequired ? `${old} IS NULL OR ` : '';
    return `CASE WHEN ${missing}${misfitSql(old)} THEN ${fill} ELSE ${converted} END`;
  };
  const value = fill === undefined ? conversion.value : filled;
  const isCopied = conversion === copyColumn && fill === undefined;
  const lossSql = countLoss(
    { ...present({ lossSql: lostDigits(before.field, after.field) }), ...conversion },
    misfitSql,
  );
  const isOnlyFilled =
    value === filled && misfitSql === undefined && conversion.value === unchangedSql;
  return {
    before,
    after,
    value,
    isCopied,
    ...present({ misfitSql, lossSql, fill }),
    ...(isOnlyFilled ? { isOnlyFilled } : {}),
  };
}

/** The loss of microseconds that the new column would cut off. */
function lostDigits(before: Field, after: Field): Sql | undefined {
  if (!isPrecise(before) || isPrecise(after)) return undefined;
  return (old) => `${old} <> date_trunc('milliseconds', ${old})`;
}

const isPrecise = ({ stored }: Field) => findMomentColumn(stored)?.digits === 6;

/** A value that cannot be converted counts as a misfit, not also as a loss. */
function countLoss({ lossSql }: Conversion, misfitSql: Sql | undefined): Sql | undefined {
  if (lossSql === undefined || misfitSql === undefined) return lossSql;
  return (old) => `CASE WHEN ${misfitSql(old)} THEN false ELSE ${lossSql(old)} END`;
}

/** Undefined when every old value fits. */
function findMisfit(
  { value, failureSql }: Conversion,
  fields: Pair<Field>,
  engineApps: EngineApps,
) {
  if (failureSql === undefined && !isNarrower(fields, engineApps.apps)) return undefined;
  const rule = ruleSql(fields.after, engineApps.apps.after, engineApps.dialect, everyBound);
  const misfitSql: Sql = (old) => {
    const holds = rule(value === unchangedSql ? old : `(${value(old)})`);
    if (failureSql === undefined) return `NOT (${holds ?? 'true'})`;
    if (holds === undefined) return failureSql(old);
    return `CASE WHEN ${failureSql(old)} THEN true ELSE NOT (${holds}) END`;
  };
  return misfitSql;
}

/** Renamed values follow; removed ones become the backfill, if there is one. */
function enumColumnSource({ before, after }: Pair<Column>, engineApps: EngineApps): ColumnSource {
  const former = listEnumValues(before.field, engineApps.apps.before);
  const now = listEnumValues(after.field, engineApps.apps.after);
  const kept = new Map(now.map(({ id, value }) => [id, textSql(value)]));
  const gone = former.filter(({ id }) => !kept.has(id)).map(({ value }) => textSql(value));
  const isRequired = before.nullable && !after.nullable;
  const fill =
    gone.length > 0 || isRequired ? backfillSql(after.field, engineApps.dialect) : undefined;
  const cases = former.flatMap(({ id, value }) => {
    const [is, become] = [textSql(value), kept.get(id) ?? fill];
    return become === undefined || become === is ? [] : [{ is, become }];
  });
  const mapped = mapping(cases);
  const isRepeatUnsafe = cases.some(({ become }) => cases.some(({ is }) => is === become));
  return {
    before,
    after,
    value: isRequired && fill !== undefined ? (old) => `coalesce(${mapped(old)}, ${fill})` : mapped,
    isCopied: cases.length === 0 && fill === undefined,
    ...(gone.length > 0 ? { misfitSql: (old) => `${old} IN (${gone.join(', ')})` } : {}),
    ...(fill === undefined
      ? { renamed: new Map(cases.map(({ is, become }) => [is, become])) }
      : { fill }),
    ...(isRepeatUnsafe ? { isOneTime: true } : {}),
    ...(mapped === unchangedSql && fill !== undefined ? { isOnlyFilled: true } : {}),
  };
}

function mapping(cases: readonly { readonly is: string; readonly become: string }[]): Sql {
  if (cases.length === 0) return unchangedSql;
  const whens = cases.map(({ is, become }) => `WHEN ${is} THEN ${become}`);
  return (old) => `CASE ${old} ${whens.join(' ')} ELSE ${old} END`;
}
