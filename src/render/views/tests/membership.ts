import type { App, MemberKind } from '../../../model/app.ts';
import { getModel } from '../../../model/lookups.ts';
import { tsValue } from '../../typescript.ts';
import type { Values } from './example-values.ts';
import { printEntries, printEntry, printObject } from './print.ts';
import { rowsWhere } from './rows-where.ts';
import { judgeCondition } from './verdict.ts';

/** Prints a row that makes a member, or not with `isCounted: false`: `api.make.seat({ team_id: row.id, … })`. */
export function printMemberMaking(
  kind: MemberKind,
  app: App,
  row: {
    readonly of: string;
    readonly user: string;
    readonly role?: string | undefined;
    readonly isCounted?: boolean;
  },
): string {
  const role = row.role ?? countingRoles(kind, app)[0];
  const [held, broken] = countingStates(kind, app);
  const values = printObject([
    printEntry(kind.of, row.of),
    printEntry(kind.user ?? '', row.user),
    ...(kind.role === undefined || role === undefined
      ? []
      : [printEntry(kind.role, tsValue(role))]),
    ...printEntries((row.isCounted === false ? broken : held) ?? {}),
  ]);
  return `api.make.${getModel(kind.by, app).names.variable}(${values})`;
}

/** In ascending order. */
export function countingRoles(kind: MemberKind, app: App): readonly string[] {
  const { role = '', roles, if: condition = [] } = kind;
  const asked = condition.filter(({ path }) => path.join('.') === role);
  const by = getModel(kind.by, app);
  return roles.filter((value) => judgeCondition(asked, { [role]: value }, by, app) === true);
}

/** Values for which a row makes a member, and values for which it does not; empty if a test cannot know that. */
export function countingStates(kind: MemberKind, app: App): readonly Values[] {
  const besides = kind.if?.filter(({ path }) => path.join('.') !== kind.role);
  return rowsWhere(besides ?? [], getModel(kind.by, app), app);
}
