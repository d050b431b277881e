import { spellName } from '../../naming/name.ts';
import { columnName } from '../../schema/property-facts.ts';
import type { Naming } from '../../schema/language.ts';
import type { DraftModel } from '../draft.ts';
import { type FoundColumn, type FoundTable, columnPlace, storedName } from '../catalogue.ts';
import { findKeyColumn, legalName } from './names.ts';
import type { ImportScope } from './scope.ts';

const momentType = /^(?:timestamp|datetime|text)/;

/** The times that the server will keep. Prisma marks them; in a database, they are recognised by their names. */
export function readTimes(table: FoundTable, scope: ImportScope) {
  const find = (role: 'created' | 'updated') => {
    const isIt = ({ name, type }: FoundColumn) =>
      timeRoles[role].test(name) && momentType.test(type);
    const column = table.columns.find((it) =>
      table.stored === undefined ? isIt(it) : it.role === role,
    );
    return column && timeIn(column, table, scope);
  };
  return { created: find('created'), updated: find('updated') };
}

const timeRoles = {
  created: /^(?:created|inserted)(?:_?at|_?on)?$/i,
  updated: /^(?:updated|modified|changed)(?:_?at|_?on)?$/i,
};

function timeIn(column: FoundColumn, table: FoundTable, { naming, notes }: ImportScope) {
  const name = timeName(column, naming);
  const usual = columnName(name, naming);
  const losses = [
    ...(name === column.name ? [] : [`\`${name}\`, as its column`]),
    ...(usual === storedName(column) ? [] : [`its column is called \`${usual}\``]),
  ];
  notes.note('changed', ...columnPlace(table, column), losses.join('; ') || undefined);
  return { name, column: column.name, nullable: column.nullable };
}

/** The name of the column, or its stored name if it has another case than most names. */
function timeName(column: FoundColumn, naming: Naming): string {
  const stored = storedName(column);
  if (columnName(column.name, naming) === stored) return column.name;
  const mayBe = legalName(stored) === stored && columnName(stored, naming) === stored;
  return mayBe ? stored : column.name;
}

/** Found only if unique constraints apply to rows that are not deleted. */
export function findSoftDelete(table: FoundTable): FoundColumn | undefined {
  const { columns, indexes, primaryKey } = table;
  if (table.stored !== undefined) return undefined;
  const time = columns.find(
    ({ name, nullable, type }) =>
      /^(?:deleted|removed|discarded|trashed)_?(?:at|on)$/i.test(name) &&
      nullable &&
      momentType.test(type),
  );
  const isAmongLiving = indexes
    .filter(({ isUnique }) => isUnique)
    .every(({ where = '' }) =>
      where.replaceAll(/["()]/g, '').toLowerCase().includes(`${time?.name.toLowerCase()} is null`),
    );
  const isOfAll = primaryKey.length > 0 && primaryKey.join() !== findKeyColumn(table)?.name;
  return isAmongLiving && !isOfAll ? time : undefined;
}

/** Default names. */
export const usualTimes = ({ api }: Pick<Naming, 'api'>) => ({
  created: spellName('created_at', api),
  updated: spellName('updated_at', api),
});

/** The `timestamps` of a model. A user has both. */
export function convertTimestamps(
  { created, updated }: ReturnType<typeof readTimes>,
  naming: Naming,
  model: string,
): DraftModel['timestamps'] {
  const usual = usualTimes(naming);
  const isUser = model === 'User';
  const names = {
    created: created ? spellTime(created) : isUser ? usual.created : undefined,
    updated: updated ? spellTime(updated) : isUser ? usual.updated : undefined,
  };
  const isUsual = (one: 'created' | 'updated') =>
    names[one] === undefined || names[one] === usual[one];
  if (names.created === undefined && names.updated === undefined) return false;
  if (!isUsual('created') || !isUsual('updated')) return names;
  if (names.updated === undefined) return 'created';
  return names.created === undefined ? 'updated' : undefined;
}

const spellTime = ({ name, nullable }: ReturnType<typeof timeIn>) => (nullable ? `${name}?` : name);
