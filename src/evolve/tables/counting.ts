import { rowCounts } from '../../schema/internal-tables.ts';
import { textSql } from '../../types/sql.ts';
import type { TableChanges, KeptTable } from '../table-changes.ts';
import { renameSteps } from '../sql/renames.ts';
import type { Table } from './table.ts';

/** Statements about the totals. Triggers are remade if dropped with their table, or if a name in them changes. */
export function countingChanges(
  { kept, dropped, dialect }: TableChanges,
  isRemade: (table: KeptTable) => boolean,
) {
  const { counting } = dialect;
  const others = kept.filter(({ before, after }) => countingOf(before) !== countingOf(after));
  const renamed = kept.filter(({ before, after }) => before.name !== after.name);
  const changed = kept.filter(
    (it) => others.includes(it) || isRemade(it) || (!counting.followsNames && renamed.includes(it)),
  );
  const forgotten = pickCounted(dropped).map(
    ({ name }) => `DELETE FROM ${rowCounts} WHERE name = ${textSql(name)};`,
  );
  const isKept = hasTotals(kept.map(({ after }) => after));
  return {
    stop: pickCounted(changed.map(({ before }) => before)).flatMap(counting.stop),
    end: hasTotals(dropped) ? counting.end : [],
    follow: isKept ? [...forgotten, ...renameRows(renamed)] : [],
    start: pickCounted(changed.map(({ after }) => after)).flatMap(counting.start),
    count: pickCounted(others.map(({ after }) => after)).map(counting.count),
  };
}

const countingOf = ({ counted }: Table) => JSON.stringify(counted) ?? '';
function pickCounted(tables: readonly Table[]): readonly Table[] {
  return tables.filter(({ counted }) => counted !== undefined);
}

const hasTotals = (tables: readonly Table[]) => tables.some(({ name }) => name === rowCounts);

function renameRows(tables: readonly KeptTable[]): readonly string[] {
  const names = tables
    .filter(({ after }) => after.counted !== undefined)
    .map(({ before, after }) => ({ from: before.name, to: after.name }));
  return renameSteps(names).map(
    ({ from, to }) =>
      `UPDATE ${rowCounts} SET name = ${textSql(to)} WHERE name = ${textSql(from)};`,
  );
}
