import { textSql } from '../../types/sql.ts';
import type { TableChanges } from '../table-changes.ts';
import { type Pair, pairById } from '../pairs.ts';
import { identifierSql } from '../sql/sql-text.ts';
import { renameAll, renameSteps } from '../sql/renames.ts';
import { createType } from '../sql/statements.ts';
import { type EnumType, compareEnumTypes } from '../tables/enum-types.ts';

/** Statements about types, by the phase of the migration. */
export function typeChanges({ apps }: TableChanges) {
  const { altered, aside, made } = compareEnumTypes(apps);
  return {
    /** A new value can only be used after the transaction that adds it. */
    values: altered.flatMap((pair) => [...renameValues(pair), ...addEnumValues(pair)]),
    make: [...renameAll([...aside, ...altered], renameType), ...made.map(createType)],
    drop: aside.map(({ after }) => `DROP TYPE ${identifierSql(after.name)};`),
  };
}

const renameType = (from: string, to: string) => `ALTER TYPE ${from} RENAME TO ${to};`;

function renameValues({ before, after }: Pair<EnumType>): readonly string[] {
  const { kept } = pairById(before.values, after.values);
  const names = kept.map((pair) => ({ from: pair.before.value, to: pair.after.value }));
  const type = identifierSql(before.name);
  return renameSteps(names).map(
    ({ from, to }) => `ALTER TYPE ${type} RENAME VALUE ${textSql(from)} TO ${textSql(to)};`,
  );
}

/** Adds each new value before the next old one, since rows are sorted by the type. */
function addEnumValues({ before, after }: Pair<EnumType>): readonly string[] {
  const { added } = pairById(before.values, after.values);
  return added.map((it) => {
    const next = after.values
      .slice(after.values.indexOf(it))
      .find((other) => !added.includes(other));
    const position = next === undefined ? '' : ` BEFORE ${textSql(next.value)}`;
    return `ALTER TYPE ${identifierSql(before.name)} ADD VALUE ${textSql(it.value)}${position};`;
  });
}
