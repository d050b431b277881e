import { type App, type Members, type Model, modelOf } from '../../../model/app.ts';
import type { Comparison } from '../../../schema/entry.ts';
import { setBy } from '../../../schema/rules/members.ts';
import { canonicalValue, fieldTypes } from '../../../types/all.ts';
import { textOf, tsValue } from '../../typescript.ts';
import { entry, objectOf } from './printed.ts';

/** What the row of a member holds: enough to count, or to count no longer. */
export function membership(
  kind: Members,
  app: App,
  row: {
    readonly of: string;
    readonly user: string;
    readonly role?: string | undefined;
    readonly counts?: false;
  },
): string {
  const by = modelOf(kind.by, app);
  const values = by && countingValues(kind.if, by);
  return textOf(
    objectOf([
      entry(kind.of, row.of),
      entry(kind.user ?? '', row.user),
      ...(kind.role === undefined || row.role === undefined
        ? []
        : [entry(kind.role, tsValue(row.role))]),
      ...((row.counts === false ? uncounted(kind, app) : values) ?? []),
    ]),
  );
}

/** Of which the first condition does not hold, as far as a test knows such a value. */
export function uncounted(kind: Members, app: App): readonly string[] | undefined {
  const by = modelOf(kind.by, app);
  const [first, ...others] = kind.if ?? [];
  if (first === undefined || by === undefined) return undefined;
  const isFlag = by.fields.find(({ name }) => name === first.path[0])?.type.kind === 'bool';
  const value = isFlag && first.operator === '=' ? setBy(first) : undefined;
  const opposite = first.operator.startsWith('>') ? ('<' as const) : ('>' as const);
  const isOfNow = first.values.some(({ kind: each }) => each === 'now');
  const broken = isOfNow
    ? countingValues([{ ...first, operator: opposite }], by)
    : typeof value === 'string' && [entry(first.path[0] ?? '', String(value === 'false'))];
  const rest = countingValues(others, by);
  return broken && rest ? [...broken, ...rest] : undefined;
}

/** Of which a condition holds, as code; undefined where that is not known. */
export function countingValues(
  condition: readonly Comparison[] | undefined,
  model: Model,
): readonly string[] | undefined {
  const values = (condition ?? []).map((comparison) => {
    const field = model.fields.find(({ name }) => name === comparison.path[0]);
    if (field === undefined || comparison.path.length > 1) return undefined;
    const isOfNow = comparison.values.some(({ kind }) => kind === 'now');
    if (isOfNow) return entry(field.name, comparison.operator.startsWith('>') ? later : earlier);
    const text = setBy(comparison);
    if (text === undefined) return undefined;
    const { read } = fieldTypes[field.type.kind];
    const value = text === null ? null : canonicalValue(field.type, read?.(text) ?? text);
    return entry(field.name, tsValue(value));
  });
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? known : undefined;
}

const later = "'2999-01-01T00:00:00.000Z'";
const earlier = "'2000-01-01T00:00:00.000Z'";
