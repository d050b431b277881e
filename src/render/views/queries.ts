import { isRestored } from '../../model/access.ts';
import {
  type App,
  type Field,
  fieldFor,
  getField,
  idColumn,
  isPassword,
  isTime,
  isUser,
  type Model,
} from '../../model/app.ts';
import { code, tsKey, tsString } from '../typescript.ts';
import { inheritedNames, isGivenKey, isInherited, ruledNames, sentLinks } from './field-type.ts';
import { returnedId } from './id-columns.ts';
import { firstMembers } from './members.ts';
import { filledValues } from './defaults.ts';
import { has } from './routes.ts';

/** What `src/<folder>/queries.ts` prints: a function for each endpoint, and those by which users sign up and change themselves. */
export function queriesView(model: Model, app: App) {
  const { names, table } = model;
  const links = sentLinks(model);
  const lists = has(model, 'list');
  const finds = has(model, 'read');
  const creates = isUser(model) || has(model, 'create');
  const updates = isUser(model) || has(model, 'update');
  const deletes = has(model, 'delete');
  const restores = isRestored(model);
  const namesRow = updates || deletes;
  // What not everybody sees is absent from a row as it is shown.
  const isSeenInPart = ruledNames(model).some(({ read }) => read);
  const whole = isSeenInPart ? `Required<${names.type}>` : names.type;
  const firsts = creates ? firstMembers(model, app) : [];
  return {
    firsts,
    firstModules: [...new Map(firsts.map((it) => [it.folder, it])).values()],
    ...names,
    table,
    lists,
    finds,
    creates,
    updates,
    deletes,
    restores,
    writes: creates || updates || deletes,
    setsLinks: (creates || updates) && links.length > 0,
    asksRows: finds || creates || namesRow,
    ...inputsOf(model),
    whole: code(whole),
    link: creates && model.link !== undefined && { key: code(tsKey(model.link.secret)) },
    makes: code(model.link ? 'const row = await' : 'return'),
    made: code(model.link ? `${whole} & { ${tsKey(model.link.secret)}: string }` : whole),
    rowNames: list(
      ...(finds ? ['defineFind'] : []),
      ...(creates ? ['type NewRow'] : []),
      ...(namesRow ? ['type RowRequest'] : []),
    ),
    writeNames: list(
      ...(creates ? ['creating'] : []),
      ...(deletes ? ['deleting'] : []),
      ...(restores ? ['restoring'] : []),
      ...(updates ? ['updating'] : []),
    ),
    schemaNames: list(
      ...(creates || updates ? [`type New${names.type}`] : []),
      ...(creates || updates || restores ? [`type ${names.type}`] : []),
      ...(creates || namesRow ? [`type ${names.type}Id`] : []),
      ...(isUser(model) ? [`type Update${names.type}`] : []),
      ...(creates ? [`${names.variable}Defaults`] : []),
      names.variablePlural,
    ),
  };
}

/** How a row is inserted and updated, and what becomes of what is sent: what is not a column of its name is taken out of the input; the rest is the row. */
export function inputsOf(model: Model) {
  const { names, timestamps } = model;
  const changedAt = fieldFor(model, 'updated_at')?.column;
  const ids = sentLinks(model).map(({ idsField }) => idsField);
  const renamed = model.fields.filter((field) => field.name !== field.column && isInserted(field));
  const columns = renamed.map(({ column }) => column);
  const filled = filledValues(model);
  const spelled = renamed.map((field) => {
    const initial = ` = ${names.variable}Defaults().${field.column}`;
    return spelling(field) + (filled.has(field.column) ? initial : '');
  });
  // What changes a user is what a client sends.
  const changeable = isUser(model) ? renamed.filter(isChangeable) : renamed;
  const row = spelled.length + ids.length > 0 ? 'row' : 'input';
  const newType = `New${names.type}`;
  const inherited = inheritedNames(model).map(tsString).join(' | ');
  const created = inherited === '' ? newType : `${newType} | Omit<${newType}, ${inherited}>`;
  return {
    idColumn: idColumn(model),
    returned: returnedId(model),
    links: sentLinks(model).map(({ name, idsField }) => ({ relation: name, ids: idsField })),
    takes: row === 'row',
    taken: code(renamed.some(isInherited) ? '{ __proto__: null, ...input }' : 'input'),
    created: code(created),
    changed: code(`Partial<${created}>`),
    creating: list(...ids.map((name) => `${name} = []`), ...spelled, '...row'),
    changing: list(...ids, ...changeable.map(spelling), '...row'),
    inserted: list(
      `...${names.variable}Defaults()`,
      `...${row}`,
      ...columns,
      ...(model.fields.some(isPassword) ? ['password'] : []),
      ...(model.link ? [`${tsKey(getField(model, model.link.secret).column)}: hash`] : []),
    ),
    updated: list(
      ...(changedAt === undefined ? [] : [`${tsKey(changedAt)}: new Date().toISOString()`]),
      `...${row}`,
      ...changeable.map(({ column }) => column),
    ),
    // Where nothing but links was sent, there may be no column to set.
    isPartial: !timestamps && ids.length > 0,
    isAlways: timestamps || ids.length === 0,
    changes: code(row),
  };
}

const isInserted = (field: Field) =>
  !isTime(field.role) && (field.role !== 'id' || isGivenKey(field));

const isChangeable = ({ source, immutable }: Field) => source === 'client' && !immutable;
const spelling = ({ name, column }: Field) => `${tsKey(name)}: ${column}`;

const list = (...names: readonly string[]) => code(names.join(', '));
