import { spellName } from '../../naming/name.ts';
import { tokenVersion } from '../../schema/internal-tables.ts';
import type { Naming } from '../../schema/language.ts';
import { namesOfUser } from '../../schema/user.ts';
import { usualTimes } from './times.ts';
import type { DraftField } from '../draft.ts';
import type { Notebook } from '../notes.ts';
import {
  type Catalogue,
  type FoundColumn,
  type FoundTable,
  columnPlace,
  placeOf,
} from '../catalogue.ts';
import { convertRules } from './rules.ts';

export function isBuiltIn(column: string, naming: Naming): boolean {
  const { created, updated } = usualTimes(naming);
  const names = [...namesOfUser, tokenVersion, created, updated];
  return (
    names.map((name) => spellName(name, naming.api)).includes(column) || column === tokenVersion
  );
}

export function noteBuiltIn(
  column: FoundColumn,
  table: FoundTable,
  { catalogue, notes }: { readonly catalogue: Catalogue; readonly notes: Notebook },
): void {
  const { name, nullable } = column;
  const written = columnPlace(table, column);
  const isRespelled = name === 'role' && roleValues(table, catalogue).some(hasCapitals);
  const required = nullable && name !== 'name' ? 'built in, and required' : undefined;
  const respelled = 'built in; `user` and `admin` are written in lower case';
  notes.note('changed', ...written, isRespelled ? respelled : required);
}

export function noteLacking(table: FoundTable, notes: Notebook): void {
  const lacking = ['email', 'password', 'role'].filter((name) => !hasColumn(table, name));
  if (lacking.length === 0 || hasColumn(table, tokenVersion)) return;
  const [place, what] = placeOf(table);
  notes.note('changed', place, `${what}, no ${lacking.join(', ')}`, 'added to every user');
}

export const hasColumn = (table: FoundTable | undefined, name: string) =>
  table?.columns.some((column) => column.name === name) === true;

/** Whether scaffold made the table. */
export const isOurDatabase = ({ tables }: Catalogue) =>
  tables.some((table) => table.stored === undefined && hasColumn(table, tokenVersion));

export const isNameless = (user: FoundTable | undefined) =>
  user !== undefined && user.columns.find(({ name }) => name === 'name')?.nullable !== false;

/** The roles besides `user` and `admin`. */
export function listOwnRoles(
  user: FoundTable,
  catalogue: Catalogue,
  notes: Notebook,
): readonly string[] {
  const role = user.columns.find(({ name }) => name === 'role');
  if (role === undefined) return [];
  const values = roleValues(user, catalogue);
  if (values.length === 0) notes.note('left', ...columnPlace(user, role), 'roles are an enum here');
  return values.filter((it) => !isBuiltInRole(it));
}

function roleValues(user: FoundTable, { enums }: Catalogue): readonly string[] {
  const type = user.columns.find(({ name }) => name === 'role')?.type ?? '';
  return convertRules(user).columns.get('role')?.values ?? enums.get(type) ?? [];
}

/** Other programs may spell the built-in roles in capitals. */
const isBuiltInRole = (role: string) => /^(?:user|admin)$/i.test(role);

const hasCapitals = (role: string) => isBuiltInRole(role) && role !== role.toLowerCase();

/** A password hash is hidden, and users do not send it at sign-up. */
export function asPasswordHash(field: DraftField): DraftField {
  const optional = field.optional === true || field.default === undefined;
  return { ...field, optional, flags: ['readonly', 'hidden'] };
}

export const replacedHash = 'hidden, and `password` takes its place';
