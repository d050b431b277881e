import { columnName } from '../../schema/rules/member-facts.ts';
import type { DraftField, DraftModel } from '../draft.ts';
import { legalName } from '../legal-name.ts';
import { asHash, replacedHash } from '../converted.ts';
import type { Notebook } from '../notes.ts';
import { isPasswordHash } from '../password-hash.ts';
import type { FoundTable } from './catalogue.ts';
import { fieldOf } from './fields.ts';
import type { Scope } from './relations.ts';
import { isMeasured, rulesOf } from './rules.ts';
import { isBuiltIn, noteBuiltIn } from './user.ts';

interface TableScope {
  /** What each column is in the schema; fields are added. */
  readonly members: Map<string, string>;
  readonly rules: ReturnType<typeof rulesOf>;
  readonly notes: Notebook;
}

/** The columns that are neither keys, times, nor built in. */
export function convertFields(
  table: FoundTable,
  scope: Scope & TableScope & { readonly model: string },
): ReadonlyMap<string, DraftField> {
  const { model, members, naming, notes, rules, catalogue, enums } = scope;
  const fields = new Map<string, DraftField>();
  for (const column of table.columns.filter(({ name }) => !members.has(name))) {
    const { name, type } = column;
    if (model === 'User' && isBuiltIn(name, naming)) {
      noteBuiltIn(column, table, scope);
      members.set(name, name);
      continue;
    }
    const what = `${table.name}.${name} ${type}`;
    const found = fieldOf(column, {
      table,
      catalogue,
      rules: rules.columns.get(name) ?? {},
      enumFor: (values) => enums.nameOf(values, { model, column: name, type }),
    });
    if (found === undefined) {
      notes.left(table.name, what, 'no type here holds it');
      continue;
    }
    const isHash = model === 'User' && isPasswordHash(name);
    const field = isHash ? asHash(found.field) : found.field;
    const lost = [...found.lost, ...(isHash ? [replacedHash] : [])];
    if (lost.length === 0) notes.exact();
    else notes.changed(table.name, what, `\`${field.type}\`: ${lost.join('; ')}`);
    const member = name === 'id' ? 'id_value' : legalName(name);
    const isOther = columnName(member, naming) !== name;
    fields.set(member, { ...field, column: isOther ? name : undefined });
    members.set(name, member);
  }
  return fields;
}

export function convertChecks(
  table: FoundTable,
  { fields, members, rules, notes }: TableScope & Pick<DraftModel, 'fields'>,
): readonly string[] {
  const leave = (said: string) =>
    notes.left(table.name, `check (${said})`, 'it stays in the database');
  for (const said of rules.unsaid) leave(said);
  return rules.checks.flatMap(({ left, operator, right }) => {
    const sides = [left, right].map((column) => members.get(column) ?? '');
    const types = sides.map((name) => fields.get(name)?.type ?? '').map(withoutRange);
    if (!types.every(isMeasured) || types[0] !== types[1]) {
      leave(`${left} ${operator} ${right}`);
      return [];
    }
    notes.exact();
    return [sides.join(` ${operator} `)];
  });
}

/** Of a decimal, the digits are not a range. */
function withoutRange(type: string): string {
  return type.replace('?', '').replace(/^(?!decimal)(\w+)\(.*\)$/, '$1');
}
