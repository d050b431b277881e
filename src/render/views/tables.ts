import { type App, type Field, isUser, type JoinTable, type Model } from '../../model/app.ts';
import { hasAccounts, hasPasswords } from '../../model/app-features.ts';
import { tablesByVersion, tablesNeeded, tokenVersion } from '../../schema/internal-tables.ts';
import { fieldTypes } from '../../types/all.ts';
import { code, type Member, tsBlock, tsObject, tsString } from '../typescript.ts';
import { isObjectMember, valueType, idDefinition, printOmit } from './field-type.ts';
import type { FieldType } from '../../types/field-type.ts';

/** What `src/database/tables.ts` prints: the columns of every table, with the values that the API has. */
export function tablesView(app: App) {
  return {
    tables: [
      ...app.models.map(viewModelTable),
      ...app.joinTables.map((join) => viewJoinTable(join, app)),
      ...viewInternalTables(app),
    ],
    // The type of a row of the table that holds the users.
    userTable: app.models.find(isUser)?.table ?? 'users',
    viewerFields: code(viewerFields(app.models.find(isUser)?.fields ?? [])),
    // Values that are stored in another form.
    encoded: app.models.map((model) => {
      const columns = model.fields.flatMap((field) => {
        const type = findEncodedType(field.type);
        if (type === undefined) return [];
        // For a name that every object has, the compiler expects what they have.
        const isOdd = isObjectMember({ name: field.column });
        return [{ name: field.column, value: isOdd ? `${type} as const` : type }];
      });
      return { name: model.table, columns: code(tsBlock(columns, '  ')) };
    }),
  };
}

/** The row without hidden fields, under the names of the fields. */
function viewerFields(fields: readonly Field[]): string {
  const visible = fields.filter((field) => !field.hidden);
  if (visible.every(({ name, column }) => name === column)) {
    const hidden = fields.filter((field) => field.hidden);
    return printOmit('UserRow', [...hidden.map(({ column }) => column), tokenVersion]);
  }
  const members = visible.map(({ name, column }) => ({
    name,
    value: `UserRow[${tsString(column)}]`,
  }));
  return tsBlock(members, '', ';');
}

function viewModelTable(model: Model) {
  const columns = model.fields.map((field) => ({ name: field.column, value: columnType(field) }));
  const version = { name: tokenVersion, value: 'Generated<number>' };
  return printTableType(model.table, isUser(model) ? [...columns, version] : columns);
}

const printTableType = (name: string, columns: readonly Member[]) => ({
  name,
  columns: code(tsBlock(columns, '  ', ';')),
});

/** The database fills in its own defaults; `now` and `uuid` come from the server. */
function columnType(field: Field): string {
  const type = valueType(field, 'JsonValue');
  const isFilled =
    (field.role === 'id' && field.type.kind === 'id') || field.default?.kind === 'literal';
  if (isLoose(field)) return `ColumnType<${type}, unknown, unknown>`;
  return isFilled ? `Generated<${type}>` : type;
}

/** What is written to such a column may be, for the compiler, the function of that name. */
const isLoose = ({ name, column }: Field) =>
  isObjectMember({ name }) || isObjectMember({ name: column });

/** Types of which the database keeps another form than the API shows, or one form of several. */
function findEncodedType(type: FieldType): string | undefined {
  const { encoded, details } = fieldTypes[type.kind];
  return encoded && tsObject({ type: tsString(type.kind), ...details?.(type) });
}

function viewJoinTable(join: JoinTable, app: App) {
  const columns = [join.left, join.right].map(({ column, model }) => ({
    name: column,
    value: idDefinition(model, app).typescript,
  }));
  return printTableType(join.table, columns);
}

/** The tables without a model. */
function viewInternalTables(app: App) {
  const kinds = {
    text: 'string',
    int: 'number',
    bigint: 'number',
    datetime: 'string',
    uuid: 'string',
  } as const;
  const all = tablesNeeded(tablesByVersion.at(-1), {
    accounts: hasAccounts(app),
    passwords: hasPasswords(app),
  }).map(({ name, columns }) => {
    const members = Object.entries(columns).map(([column, { kind, nullable }]) => {
      const type = kind === 'user' ? idDefinition('User', app).typescript : kinds[kind];
      return { name: column, value: nullable ? `${type} | null` : type };
    });
    return printTableType(name, members);
  });
  const applied = ['id', 'checksum', 'applied_at'].map((name) => ({ name, value: 'string' }));
  return [...all, printTableType('schema_migrations', applied)];
}
