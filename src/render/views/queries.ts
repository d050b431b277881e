import {
  type App,
  type Field,
  findFieldFor,
  getField,
  idColumn,
  hasPasswords,
  isPassword,
  isTime,
  isUser,
  type Model,
} from '../../model/app.ts';
import { isChangeable, isGivenKey } from '../../model/writing.ts';
import { code, tsKey, tsString } from '../typescript.ts';
import { inheritedNames, isInherited, ruledNames, sentLinks } from './field-type.ts';
import { returnedId } from './id-columns.ts';
import { firstMembers } from './members.ts';
import { filledValues } from './defaults.ts';
import { forTemplates, has, queriesOf } from './endpoints.ts';

/** What `src/<folder>/queries.ts` prints: a function for each endpoint, for sign-up and for `/auth/me`. */
export function queriesView(model: Model, app: App) {
  const { names, table } = model;
  // What not everybody sees is absent from a row as it is shown.
  const isSeenInPart = ruledNames(model).some(({ read }) => read);
  const firsts = isUser(model) || has(model, 'create') ? firstMembers(model, app) : [];
  const whole = isSeenInPart ? `Required<${names.type}>` : names.type;
  return {
    ...names,
    table,
    ...forTemplates(queriesOf(model), () => true),
    firsts,
    firstMembers: [...new Map(firsts.map((it) => [it.folder, it])).values()],
    ...inputsOf(model),
    whole: code(whole),
    renewed: code(hasPasswords(app) ? 'request.id, {}' : 'request.id'),
    ...linkSteps(model, whole),
  };
}

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

/** How a row is written, and what is taken out of the input because it is not a column of that name. */
export function inputsOf(model: Model) {
  const { names } = model;
  const ids = sentLinks(model).map(({ idsField }) => idsField);
  const renamed = model.fields.filter((field) => field.name !== field.column && isInserted(field));
  const filled = filledValues(model);
  const spelled = renamed.map((field) => {
    const initial = ` = ${names.variable}Defaults().${field.column}`;
    return spelling(field) + (filled.has(field.column) ? initial : '');
  });
  // What changes a user is what a client sends.
  const changeable = isUser(model) ? renamed.filter(isChangeable) : renamed;
  const isTaken = spelled.length + ids.length > 0;
  const row = isTaken ? '...row' : '...input';
  const takenFrom = renamed.some(isInherited) ? '{ __proto__: null, ...input }' : 'input';
  const taking = (...taken: readonly string[]) =>
    code(isTaken ? `const { ${[...taken, '...row'].join(', ')} } = ${takenFrom};` : '');
  return {
    returned: returnedId(model),
    ...inputTypes(model),
    creating: taking(...ids.map((name) => `${name} = []`), ...spelled),
    changing: taking(...ids, ...changeable.map(spelling)),
    links: setsLinks(model, 'open', 'id'),
    changedLinks: setsLinks(model, 'open', '...request'),
    updating: updateOf(model, [row, ...changeable.map(({ column }) => column)]),
    inserted: code(
      [
        `...${names.variable}Defaults()`,
        row,
        ...renamed.map(({ column }) => column),
        ...(model.fields.some(isPassword) ? ['password'] : []),
        ...(model.link ? [`${tsKey(getField(model, model.link.secret).column)}: hash`] : []),
      ].join(', '),
    ),
  };
}

/** What may be left out of a row has no type where every object has something of its name. */
function inputTypes(model: Model) {
  const newType = `New${model.names.type}`;
  const inherited = inheritedNames(model).map(tsString).join(' | ');
  const created = inherited === '' ? newType : `${newType} | Omit<${newType}, ${inherited}>`;
  return { created: code(created), changed: code(`Partial<${created}>`) };
}

function updateOf(model: Model, values: readonly string[]) {
  const changedAt = findFieldFor(model, 'updated_at')?.column;
  const stamp = changedAt === undefined ? [] : [`${tsKey(changedAt)}: new Date().toISOString()`];
  const update = [
    'await open',
    `  .updateTable(${tsString(model.table)})`,
    `  .set({ ${[...stamp, ...values].join(', ')} })`,
    `  .where(${tsString(idColumn(model))}, '=', request.id)`,
    '  .execute();',
  ];
  // If only links were sent, there may be no column to set.
  const isPartial = !model.timestamps && sentLinks(model).length > 0;
  return inFunction(
    isPartial
      ? ['if (Object.keys(row).length > 0) {', ...update.map((line) => `  ${line}`), '}']
      : update,
  );
}

/** `await setLinks(open, posts.relations.tags, { id, ids: tag_ids });` */
export const setsLinks = (model: Model, database: string, row: string) =>
  inFunction(
    sentLinks(model).map(({ name, idsField }) => {
      const relation = `${model.names.variablePlural}.relations.${name}`;
      return `await setLinks(${database}, ${relation}, { ${row}, ids: ${idsField} });`;
    }),
  );

/** In the function that a query hands on. */
const inFunction = (lines: readonly string[]) => code(lines.join('\n    '));

const isInserted = (field: Field) =>
  !isTime(field.role) && (field.role !== 'id' || isGivenKey(field));

const spelling = ({ name, column }: Field) => `${tsKey(name)}: ${column}`;
