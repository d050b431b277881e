import type { SchemaParts } from './checks.ts';
import { type ComparedSchemas, listParts, tablesIn, type TakeoverStep } from './plan-takeover.ts';

/** A table with two keys and nothing else. */
interface Pairs {
  readonly table: string;
  readonly keys: readonly PairKey[];
}

export interface PairKey {
  readonly column: string;
  readonly target: string;
}

interface PairScope extends ComparedSchemas {
  /** In the order of the primary key, or of their names. */
  readonly keysIn: (facts: SchemaParts, table: string) => readonly PairKey[];
  readonly named: (name: string) => string;
}

/** Many-to-many: new join tables take the rows of existing ones with the same pairs. */
export function pairSteps({ expected, found, keysIn, named }: PairScope) {
  const pairsIn = (facts: SchemaParts, others: SchemaParts) =>
    tablesIn(facts)
      .filter((table) => !others.has(`table ${table}`))
      .map((table) => ({ table, keys: keysIn(facts, table) }))
      .filter(({ table, keys }) => {
        const columns = listParts(facts, 'column', table);
        return keys.length === 2 && columns.length === 2;
      });
  const theirs = pairsIn(found, expected);
  const steps: TakeoverStep[] = [];
  const obstacles: string[] = [];
  for (const { table, keys } of pairsIn(expected, found)) {
    const same = theirs.flatMap((it) => matching(it, keys));
    const names = same.map((it) => it.table);
    if (same.length > 1) obstacles.push(manyPairs(table, keys, names));
    for (const { table: from, keys: columns } of same) {
      const [into, values] = [keys, columns].map((all) =>
        all.map(({ column }) => named(column)).join(', '),
      );
      steps.push({
        title: `${table} takes the pairs of ${from}, which stays; what is written there later is not seen here.`,
        statements: [
          `INSERT INTO ${named(table)} (${into}) SELECT DISTINCT ${values} FROM ${named(from)};`,
        ],
      });
    }
  }
  return { steps, obstacles };
}

/** The table with its keys in our order, if they lead to the same tables. */
function matching({ table, keys }: Pairs, ours: readonly PairKey[]): readonly Pairs[] {
  const orders = [keys, keys.toReversed()];
  const order = orders.find((all) => all.every(({ target }, at) => target === ours[at]?.target));
  return order === undefined ? [] : [{ table, keys: order }];
}

function manyPairs(table: string, keys: readonly PairKey[], from: readonly string[]): string {
  const columns = keys.map(({ column }) => column).join(' and ');
  return `The pairs of ${table} may be those of ${from.toSorted().join(' or of ')}. Call the right one ${table}, and its columns ${columns}.`;
}
