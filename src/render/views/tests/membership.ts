import { type App, findField, type Members, type Model } from '../../../model/app.ts';
import type { Comparison } from '../../../schema/entry.ts';
import { modelOfMembers } from '../members.ts';
import { setBy } from '../../../schema/members.ts';
import { valueIn } from '../../../types/all.ts';
import { sourceText, tsString, tsValue } from '../../typescript.ts';
import { isChecked } from './in-order.ts';
import { entry, printObject } from './printed.ts';

/** What the row of a member holds: enough to count, or to count no longer. */
export function membership(
  kind: Members,
  app: App,
  row: {
    readonly of: string;
    readonly user: string;
    readonly role?: string | undefined;
    readonly counts?: false | undefined;
  },
): string {
  const role = row.role ?? countingRoles(kind)[0];
  const values = row.counts === false ? uncounted(kind, app) : counted(kind, app);
  return sourceText(
    printObject([
      entry(kind.of, row.of),
      entry(kind.user ?? '', row.user),
      ...(kind.role === undefined || role === undefined ? [] : [entry(kind.role, tsValue(role))]),
      ...(values ?? []),
    ]),
  );
}

/** From the lowest up. */
export function countingRoles({ role, roles, if: condition = [] }: Members): readonly string[] {
  const asked = condition.filter(({ path }) => path.join('.') === role);
  return roles.filter((value) => asked.every((comparison) => isOf(comparison, value)));
}

function isOf({ operator, values }: Comparison, role: string): boolean {
  const isNamed = values.some((it) => it.kind === 'literal' && it.text === role);
  if (operator === 'is not null') return true;
  return operator === '!=' ? !isNamed : isNamed;
}

/** What a row holds besides its role so that it counts; undefined where a test does not know that. */
export function counted(kind: Members, app: App): readonly string[] | undefined {
  return countingValues(besideRole(kind), modelOfMembers(kind, app));
}

/** And so that the first condition does not hold. */
export function uncounted(kind: Members, app: App): readonly string[] | undefined {
  const by = modelOfMembers(kind, app);
  const [first, ...others] = besideRole(kind);
  const broken = first && oppositeOf(first, by);
  return broken && countingValues([broken, ...others], by);
}

const besideRole = ({ role, if: condition = [] }: Members) =>
  condition.filter(({ path }) => path.join('.') !== role);

function oppositeOf(comparison: Comparison, model: Model): Comparison | undefined {
  const { path, operator, values } = comparison;
  const isOfNow = values.some(({ kind }) => kind === 'now');
  const direction = isOfNow && directionOf(operator);
  if (direction) return { ...comparison, operator: direction === 'before' ? '>' : '<' };
  const isFlag = findField(model, path[0])?.type.kind === 'bool';
  const value = isFlag && operator === '=' ? setBy(comparison) : undefined;
  if (typeof value !== 'string') return undefined;
  return { ...comparison, values: [{ kind: 'literal', text: String(value === 'false') }] };
}

/** On which side of a moment a comparison admits others. */
export function directionOf(operator: Comparison['operator']): 'before' | 'after' | undefined {
  if (operator === '<' || operator === '<=') return 'before';
  return operator === '>' || operator === '>=' ? 'after' : undefined;
}

/** Of which a condition holds, as code; undefined where that is not known. */
export function countingValues(
  condition: readonly Comparison[] | undefined,
  model: Model,
): readonly string[] | undefined {
  const values = (condition ?? []).map((comparison) => {
    const field = findField(model, comparison.path[0]);
    const value = valueOf(comparison, model);
    return field && value !== undefined ? entry(field.name, value) : undefined;
  });
  const known = new Set(values.filter((value) => value !== undefined));
  const names = new Set((condition ?? []).map(({ path: [name] }) => name));
  // Of a field that is asked for twice, two values may be needed.
  return values.includes(undefined) || names.size < known.size ? undefined : [...known];
}

function valueOf(comparison: Comparison, model: Model): string | undefined {
  const field = findField(model, comparison.path[0]);
  if (!field || comparison.path.length > 1 || isChecked(field, model)) return undefined;
  const isOfNow = comparison.values.some(({ kind }) => kind === 'now');
  if (isOfNow) return tsString(directionOf(comparison.operator) === 'after' ? later : earlier);
  const text = setBy(comparison);
  if (text === undefined) return undefined;
  const value = text === null ? null : valueIn(field, text);
  return value === undefined ? undefined : tsValue(value);
}

/** For conditions that speak of now. */
export const later = '2999-01-01T00:00:00.000Z';
export const earlier = '2000-01-01T00:00:00.000Z';
