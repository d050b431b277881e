import type { App, MemberKind } from '../../../model/app.ts';
import { modelOfMembers } from '../members.ts';
import { sourceText, tsValue } from '../../typescript.ts';
import type { Values } from './example-values.ts';
import { entry, printObject } from './printed.ts';
import { statesWhere } from './values-where.ts';
import { judgeRow } from './verdict.ts';

/** What the row of a member holds: enough to count, or to count no longer. */
export function membership(
  kind: MemberKind,
  app: App,
  row: {
    readonly of: string;
    readonly user: string;
    readonly role?: string | undefined;
    readonly counts?: boolean;
  },
): string {
  const role = row.role ?? countingRoles(kind, app)[0];
  const [held, broken] = countingStates(kind, app);
  const values = Object.entries((row.counts === false ? broken : held) ?? {});
  return sourceText(
    printObject([
      entry(kind.of, row.of),
      entry(kind.user ?? '', row.user),
      ...(kind.role === undefined || role === undefined ? [] : [entry(kind.role, tsValue(role))]),
      ...values.map(([name, value]) => entry(name, tsValue(value))),
    ]),
  );
}

/** From the lowest up. */
export function countingRoles(kind: MemberKind, app: App): readonly string[] {
  const { role = '', roles, if: condition = [] } = kind;
  const asked = condition.filter(({ path }) => path.join('.') === role);
  const by = modelOfMembers(kind, app);
  return roles.filter((value) => judgeRow(asked, { [role]: value }, by, app) === true);
}

/** What a row holds besides its role so that it counts, and so that it does not; none where a test does not know that. */
export function countingStates(kind: MemberKind, app: App): readonly Values[] {
  const besides = kind.if?.filter(({ path }) => path.join('.') !== kind.role);
  return statesWhere(besides ?? [], modelOfMembers(kind, app), app);
}
