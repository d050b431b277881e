import type { links, Rows, table } from './rows.ts';

/** Checks of the database on two columns of a row, by table. */
export type Checks = Readonly<Record<string, readonly Check[]>>;

type Check = readonly [left: string, operator: '<' | '<=' | '>' | '>=', right: string];
type Row = Readonly<Record<string, unknown>>;
type Table = ReturnType<typeof table> | ReturnType<typeof links>;

/** The same tables, with rows that pass the checks. */
export function inOrder(tables: readonly Table[], checks: Checks): readonly Table[] {
  return tables.map((each) => {
    const asked = Object.hasOwn(checks, each.name) ? checks[each.name] : undefined;
    if (asked === undefined || !('draw' in each)) return each;
    return { ...each, draw: (rows: Rows) => ordered(asked, () => ({ ...each.draw(rows) })) };
  });
}

/** Swaps moments until every check holds, and draws numbers, which may have bounds, again. */
function ordered(checks: readonly Check[], draw: () => Row): Row {
  let row = draw();
  for (let turn = 0; turn < 1000; turn += 1) {
    const broken = checks.find((check) => !holds(check, row));
    if (broken === undefined) break;
    const [left, , right] = broken;
    const isMoment = typeof comparable(row[left]) === 'string' && row[left] !== row[right];
    const other = isMoment ? { [left]: row[right], [right]: row[left] } : draw();
    row = { ...row, [left]: other[left], [right]: other[right] };
  }
  return row;
}

function holds([left, operator, right]: Check, row: Row): boolean {
  const [a, b] = [left, right].map((name) => comparable(row[name]));
  if (a === undefined || b === undefined) return true;
  if (a === b) return operator.endsWith('=');
  return operator.startsWith('<') ? a < b : a > b;
}

/** A number (perhaps as text), or a text that sorts like the moment in it. */
function comparable(value: unknown): number | string | undefined {
  if (value === null || value === undefined) return undefined;
  const number = Number(value);
  return Number.isNaN(number) ? String(value) : number;
}
