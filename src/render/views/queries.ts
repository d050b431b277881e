import type { Field, Model } from '../../model/app.ts';
import { code, type Code, tsKey, tsString } from '../typescript.ts';
import { linksOf, ruledNames } from './field-type.ts';
import { inheritedNames, isInherited } from './inherited-names.ts';
import { isFilled } from './schema.ts';

/** What `src/<folder>/queries.ts` prints. */
export function queriesView(model: Model) {
  const { names, softDelete, table, relations, timestamps } = model;
  const isUser = names.type === 'User';
  const links = linksOf(model).filter(({ through }) => through === undefined);
  const renamed = model.fields.filter(isRenamed);
  const columns = renamed.map(({ column }) => column);
  // What is not a column of its name is taken out of the input; the rest is the row.
  const spelled = renamed.map((field) => {
    const filled = ` = ${names.variable}Defaults().${field.column}`;
    return spelling(field) + (isFilled(field) ? filled : '');
  });
  // What changes a user is what a client sends.
  const changeable = isUser ? renamed.filter(isChangeable) : renamed;
  const ids = links.map(({ idsField }) => idsField);
  const row = spelled.length + ids.length > 0 ? 'row' : 'input';
  const refers = links.length > 0 || relations.some(({ kind }) => kind === 'one');
  const newType = `New${names.type}`;
  const inherited = inheritedNames(model);
  const isOdd = inherited.length > 0;
  const unnamed = `Omit<${newType}, ${inherited.map(tsString).join(' | ')}>`;
  const guarded = ruledNames(model).some(({ write }) => write !== undefined);
  const ruled = ruledLines(model, guarded);
  const isRuled = ruled.length > 0;
  return {
    ...names,
    table,
    softDelete,
    refers,
    guarded,
    ruled,
    asker: code(isRuled ? '{ viewer, self }' : '{ viewer }'),
    changer: code(isRuled ? '{ viewer, self, id }' : '{ viewer, id }'),
    reader: code(isRuled ? '{ viewer: writer, id }' : '{ viewer, id }'),
    links: links.map(({ name, idsField }) => ({ relation: name, ids: idsField })),
    takes: row === 'row',
    taken: code(renamed.some(isInherited) ? '{ __proto__: null, ...input }' : 'input'),
    created: code(isOdd ? `${newType} | ${unnamed}` : newType),
    changed: code(`Partial<${isOdd ? `${newType} | ${unnamed}` : newType}>`),
    creating: list(...ids.map((name) => `${name} = []`), ...spelled, '...row'),
    changing: list(...ids, ...changeable.map(spelling), '...row'),
    inserted: list(
      `...${names.variable}Defaults()`,
      `...${row}`,
      ...columns,
      ...(isUser ? ['password'] : []),
    ),
    updated: list(
      ...(timestamps ? ['updated_at: new Date().toISOString()'] : []),
      `...${row}`,
      ...changeable.map(({ column }) => column),
    ),
    changes: code(timestamps || row === 'input' ? 'input' : row),
    ...chains(model),
    scope: code(softDelete ? '{ viewer, deleted }' : '{ viewer }'),
    accessNames: list('admittedBy', ...(softDelete ? ['isAdmin'] : [])),
    rowNames: list(
      'defineFind',
      'type FindRow',
      ...(softDelete ? ['isDeleted'] : []),
      'type NewRow',
      'readRow',
      'requireAllowed',
      'requireChangeable',
      'requireCreator',
      ...(refers ? ['requireReferences'] : []),
      ...(guarded ? ['requireWritable'] : []),
      'type RowRequest',
      'type RowScope',
      ...(links.length > 0 ? ['setLinks'] : []),
    ),
    schemaNames: list(
      `type ${newType}`,
      `type ${names.type}`,
      `type ${names.type}Id`,
      ...(isUser ? [`type Update${names.type}`] : []),
      `${names.variable}Defaults`,
      names.variablePlural,
    ),
  };
}

/** Users write about themselves whatever the policy lets them do, but not every field. */
function ruledLines(model: Model, guarded: boolean) {
  if (ruledNames(model).length === 0) return [];
  const { variablePlural } = model.names;
  const lines = [
    'const writer = self === undefined ? viewer : { id, role: self };',
    ...(guarded
      ? [`await requireWritable(open, ${variablePlural}, { viewer: writer, id }, input);`]
      : []),
  ];
  return lines.map((line) => ({ line: code(line) }));
}

/** Queries that are one chain of calls; the layout breaks those that are too long for a line. */
function chains({ names, table, softDelete }: Model) {
  const from = `database.selectFrom(${tsString(table)})`;
  const deletedAt = tsString(`${table}.deleted_at`);
  const isListed = softDelete ? `.$call(isDeleted(${deletedAt}, deleted))` : '';
  const isThere = softDelete ? `.where(${deletedAt}, 'is', null)` : '';
  const admitted = (operation: string) =>
    `.$call(admittedBy(${names.variable}Policy.${operation}(viewer)))`;
  const changed = `open.updateTable(${tsString(table)})`;
  return {
    listed: code(`${from}${isListed}${admitted('list')}`),
    readable: code(
      `${from}.where(${tsString(`${table}.id`)}, '=', id)${isThere}${admitted('read')}`,
    ),
    removed: code(
      softDelete
        ? `${changed}.set({ deleted_at: new Date().toISOString() })${sameId('request.id')}.execute()`
        : `open.deleteFrom(${tsString(table)})${sameId('request.id')}.execute()`,
    ),
    restored: code(`${changed}.set({ deleted_at: null })${sameId('id')}.execute()`),
  };
}

const sameId = (id: string) => `.where('id', '=', ${id})`;

const isRenamed = ({ name, column }: Field) => name !== column;
const isChangeable = ({ source, immutable }: Field) => source === 'client' && !immutable;
const spelling = ({ name, column }: Field) => `${tsKey(name)}: ${column}`;

const list = (...names: readonly string[]) => code(names.join(', '));

/** What `src/users/credentials.ts` prints. */
export interface CredentialsView {
  readonly table: string;
  readonly softDelete: boolean;
  /** Leaves out the users who were deleted softly. */
  readonly living: Code;
}

export function credentialsView({ table, softDelete }: Model): CredentialsView {
  return { table, softDelete, living: code(softDelete ? ".where('deleted_at', 'is', null)" : '') };
}
