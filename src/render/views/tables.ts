import { layouts } from '../../schema/internal-tables.ts';
import type { App, Field, FieldType, JoinTable, Model } from '../../model/app.ts';
import { fieldTypes } from '../../types/all.ts';
import { code, type Code, tsObject, tsString } from '../typescript.ts';
import { valueType } from './field-type.ts';
import { isInherited } from './inherited-names.ts';

/** What `src/database/tables.ts` prints: the columns of every table, with the values that the API has. */
export interface TablesView {
  readonly usesColumnTypes: boolean;
  readonly usesEnums: boolean;
  readonly usesJson: boolean;
  readonly tables: readonly TableView[];
  /** The type of a row of the table that holds the users. */
  readonly userTable: string;
  /** What is stored in a form of its own, by table. */
  readonly encoded: readonly {
    readonly name: string;
    readonly columns: readonly { readonly name: string; readonly type: Code }[];
  }[];
}

interface TableView {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: Code }[];
}

export function tablesView(app: App): TablesView {
  const fields = app.models.flatMap((model) => model.fields);
  return {
    usesColumnTypes: fields.some(isLoose),
    usesEnums: fields.some(({ type }) => type.kind === 'enum'),
    usesJson: fields.some(({ type }) => type.kind === 'json'),
    tables: [
      ...app.models.map(modelTable),
      ...app.joinTables.map((join) => joinTable(join, app)),
      ...internalTables(app),
    ],
    userTable: app.models.find(({ names }) => names.type === 'User')?.table ?? 'users',
    encoded: app.models.map((model) => ({
      name: model.table,
      columns: model.fields.flatMap((field) => {
        const type = encodedType(field.type);
        if (type === undefined) return [];
        // For a name that every object has, the compiler expects what they have.
        const isOdd = isInherited({ name: field.column });
        return [{ name: field.column, type: code(isOdd ? `${type} as const` : type) }];
      }),
    })),
  };
}

function modelTable(model: Model): TableView {
  const columns = model.fields.map((field) => ({
    name: field.column,
    type: code(columnType(field)),
  }));
  const isUser = model.names.type === 'User';
  return {
    name: model.table,
    columns: isUser
      ? [...columns, { name: 'token_version', type: code('Generated<number>') }]
      : columns,
  };
}

/** The database fills what has a default of its own; `now` and `uuid` are the server's. */
function columnType(field: Field): string {
  const type = valueType(field).replace('t.JsonValue', 'JsonValue');
  const isFilled =
    (field.role === 'id' && field.type.kind === 'id') || field.default?.kind === 'literal';
  if (isLoose(field)) return `ColumnType<${type}, unknown, unknown>`;
  return isFilled ? `Generated<${type}>` : type;
}

/** What is written to such a column may be, for the compiler, the function of that name. */
const isLoose = ({ name, column }: Field) => isInherited({ name }) || isInherited({ name: column });

/** Types of which the database keeps another form than the API shows, or one form of several. */
function encodedType(type: FieldType): string | undefined {
  const { encoded, details } = fieldTypes[type.kind];
  return encoded && tsObject({ type: tsString(type.kind), ...details?.(type) });
}

function joinTable(join: JoinTable, app: App): TableView {
  const columns = [join.left, join.right].map(({ column, model }) => ({
    name: column,
    type: code(idTypeOf(app, model)),
  }));
  return { name: join.table, columns };
}

function idTypeOf(app: App, name: string): string {
  const model = app.models.find(({ names }) => names.type === name);
  return model?.idType === 'uuid' ? 'string' : 'number';
}

/** The tables that no model stands for. */
function internalTables(app: App): readonly TableView[] {
  const kinds = { text: 'string', int: 'number', bigint: 'number', datetime: 'string' } as const;
  const all = (layouts.at(-1) ?? []).map(({ name, columns }) => ({
    name,
    columns: Object.entries(columns).map(([column, { kind, nullable }]) => {
      const type = kind === 'user' ? idTypeOf(app, 'User') : kinds[kind];
      return { name: column, type: code(nullable ? `${type} | null` : type) };
    }),
  }));
  const applied = ['id', 'checksum', 'applied_at'];
  const columns = applied.map((name) => ({ name, type: code('string') }));
  return [...all, { name: 'schema_migrations', columns }];
}
