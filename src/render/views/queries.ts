import { isRestored } from '../../model/access.ts';
import {
  type App,
  type Field,
  fieldFor,
  getField,
  hasPasswords,
  idColumn,
  isPassword,
  isTime,
  isUser,
  type Model,
} from '../../model/app.ts';
import { code, importOf, linesOf, tsKey, tsString } from '../typescript.ts';
import { inheritedNames, isGivenKey, isInherited, ruledNames, sentLinks } from './field-type.ts';
import { returnedId } from './id-columns.ts';
import { firstMembers } from './members.ts';
import { filledValues } from './defaults.ts';
import { has } from './routes.ts';

/** What `src/<folder>/queries.ts` prints: a function for each endpoint, and those by which users sign up and change themselves. */
export function queriesView(model: Model, app: App) {
  const { names, table } = model;
  // What not everybody sees is absent from a row as it is shown.
  const isSeenInPart = ruledNames(model).some(({ read }) => read);
  const whole = isSeenInPart ? `Required<${names.type}>` : names.type;
  return {
    ...names,
    table,
    ...queriesOf(model),
    firsts: firstsOf(model, app),
    imports: linesOf(...importsOf(model, app)),
    ...inputsOf(model),
    whole: code(whole),
    ...linkSteps(model, whole),
  };
}

/** The functions that there are: users sign up and change themselves whatever the endpoints are. */
function queriesOf(model: Model) {
  return {
    lists: has(model, 'list'),
    finds: has(model, 'read'),
    creates: isUser(model) || has(model, 'create'),
    updates: isUser(model) || has(model, 'update'),
    deletes: has(model, 'delete'),
    restores: isRestored(model),
  };
}

const firstsOf = (model: Model, app: App) =>
  queriesOf(model).creates ? firstMembers(model, app) : [];

function importsOf(model: Model, app: App): readonly string[] {
  const { lists, finds, creates, updates, deletes, restores } = queriesOf(model);
  const { names } = model;
  const [ofUser, hashes] = [isUser(model), isUser(model) && hasPasswords(app)];
  const [namesRow, writes] = [updates || deletes, creates || updates];
  const firstModules = new Map(firstsOf(model, app).map((it) => [it.folder, it.imports]));
  return [
    ...(hashes ? ["import type { Hasher } from '../auth/passwords.ts';"] : []),
    ...(writes || deletes ? ["import type { Database } from '../database/client.ts';"] : []),
    ...importOf('../database/values.ts', ofUser && 'canonicalEmail'),
    ...importOf('../lib/checks.ts', hashes && 'requireNewRow'),
    ...importOf('../lib/first-member.ts', firstModules.size > 0 && 'makeFirst'),
    ...importOf('../lib/list.ts', lists && 'defineList'),
    ...importOf('../lib/link.ts', creates && model.link !== undefined && 'newLink'),
    ...importOf(
      '../lib/rows.ts',
      finds && 'defineFind',
      creates && 'type NewRow',
      namesRow && 'type RowRequest',
    ),
    ...importOf('../lib/set-links.ts', writes && sentLinks(model).length > 0 && 'setLinks'),
    ...importOf(
      '../lib/write.ts',
      creates && 'creating',
      deletes && 'deleting',
      restores && 'restoring',
      updates && 'updating',
    ),
    ...[...firstModules.values()].flat(),
    ...importOf('../mail/outbox.ts', ofUser && 'queueEmail'),
    ...(ofUser ? [userChecks] : []),
    ...importOf(
      './schema.ts',
      writes && `type New${names.type}`,
      (writes || restores) && `type ${names.type}`,
      (creates || namesRow) && `type ${names.type}Id`,
      ofUser && 'type UpdateUser',
      creates && `${names.variable}Defaults`,
      names.variablePlural,
    ),
  ];
}

const userChecks =
  "import { refuseRole, refuseUserChange, renewCredentials, requireOtherAdmin } from './credentials.ts';";

/** What `create` does beside inserting where a row comes with a link. */
function linkSteps({ link }: Model, whole: string) {
  if (link === undefined) {
    const nothing = code('');
    return {
      note: nothing,
      link: nothing,
      makes: code('return'),
      made: code(whole),
      answer: nothing,
    };
  }
  const key = tsKey(link.secret);
  return {
    note: code('/** Makes its link as well, whose secret is kept nowhere. */'),
    link: code('const { secret, hash } = newLink();'),
    makes: code('const row = await'),
    made: code(`${whole} & { ${key}: string }`),
    answer: code(`return { ...row, ${key}: secret };`),
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
  const takenFrom = renamed.some(isInherited) ? '{ __proto__: null, ...input }' : 'input';
  const taking = (...taken: readonly string[]) =>
    code(row === 'row' ? `const { ${[...taken, '...row'].join(', ')} } = ${takenFrom};` : '');
  const updated = [
    ...(changedAt === undefined ? [] : [`${tsKey(changedAt)}: new Date().toISOString()`]),
    `...${row}`,
    ...changeable.map(({ column }) => column),
  ];
  const update = [
    'await open',
    `  .updateTable(${tsString(model.table)})`,
    `  .set({ ${updated.join(', ')} })`,
    `  .where(${tsString(idColumn(model))}, '=', request.id)`,
    '  .execute();',
  ];
  // Where nothing but links was sent, there may be no column to set.
  const isPartial = !timestamps && ids.length > 0;
  return {
    returned: returnedId(model),
    created: code(created),
    changed: code(`Partial<${created}>`),
    creating: taking(...ids.map((name) => `${name} = []`), ...spelled),
    changing: taking(...ids, ...changeable.map(spelling)),
    links: setsLinks(model, 'open', 'id'),
    changedLinks: setsLinks(model, 'open', '...request'),
    updating: stepsOf(
      isPartial
        ? ['if (Object.keys(row).length > 0) {', ...update.map((line) => `  ${line}`), '}']
        : update,
    ),
    inserted: list(
      `...${names.variable}Defaults()`,
      `...${row}`,
      ...columns,
      ...(model.fields.some(isPassword) ? ['password'] : []),
      ...(model.link ? [`${tsKey(getField(model, model.link.secret).column)}: hash`] : []),
    ),
  };
}

/** `await setLinks(open, posts.relations.tags, { id, ids: tag_ids });` */
export const setsLinks = (model: Model, database: string, row: string) =>
  stepsOf(
    sentLinks(model).map(({ name, idsField }) => {
      const relation = `${model.names.variablePlural}.relations.${name}`;
      return `await setLinks(${database}, ${relation}, { ${row}, ids: ${idsField} });`;
    }),
  );

/** In the function that a query hands on. */
const stepsOf = (lines: readonly string[]) => code(lines.join('\n    '));

const isInserted = (field: Field) =>
  !isTime(field.role) && (field.role !== 'id' || isGivenKey(field));

const isChangeable = ({ source, immutable }: Field) => source === 'client' && !immutable;
const spelling = ({ name, column }: Field) => `${tsKey(name)}: ${column}`;

const list = (...names: readonly string[]) => code(names.join(', '));
