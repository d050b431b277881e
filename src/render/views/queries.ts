import {
  type App,
  type Field,
  isPassword,
  isServerTime,
  isUser,
  type Model,
} from '../../model/app.ts';
import { findFieldByRole, getField, idColumn } from '../../model/lookups.ts';
import { isUpdatable, isClientId } from '../../model/writing.ts';
import { code, tsKey } from '../typescript.ts';
import {
  objectMembers,
  isObjectMember,
  fieldsWithRules,
  writableLinks,
  printOmit,
} from './field-type.ts';
import { returnedId } from './id-columns.ts';
import { firstMembers } from './members.ts';
import { filledValues } from './defaults.ts';
import { byEndpoint, listQueries } from './endpoints.ts';

/** What `src/<folder>/queries.ts` prints: a function for each endpoint, for sign-up and for `/auth/me`. */
export function queriesView(model: Model, app: App) {
  const { names, table } = model;
  // What not everybody sees is absent from a row as it is shown.
  const isSeenInPart = fieldsWithRules(model).some(({ read }) => read);
  const firsts =
    isUser(model) || model.endpoints.includes('create') ? firstMembers(model, app) : [];
  const whole = isSeenInPart ? `Required<${names.type}>` : names.type;
  return {
    ...names,
    table,
    ...byEndpoint(listQueries(model), () => true),
    firsts,
    firstMembers: [...new Map(firsts.map((it) => [it.folder, it])).values()],
    ...buildInputs(model),
    whole: code(whole),
    link: model.link,
    made: code(model.link ? `${whole} & { ${tsKey(model.link.secret)}: string }` : whole),
  };
}

/** How a row is written, and what is taken out of the input because it is not a column of that name. */
export function buildInputs(model: Model) {
  const { names } = model;
  const links = writableLinks(model);
  const ids = links.map(({ idsField }) => idsField);
  const renamed = model.fields.filter((field) => field.name !== field.column && isInserted(field));
  const spelled = spellWithDefaults(renamed, model);
  // What changes a user is what a client sends.
  const changeable = isUser(model) ? renamed.filter(isUpdatable) : renamed;
  const isTaken = spelled.length + ids.length > 0;
  const row = isTaken ? '...row' : '...input';
  const takenFrom = renamed.some(isObjectMember) ? '{ __proto__: null, ...input }' : 'input';
  const taking = (...taken: readonly string[]) =>
    code(isTaken ? `const { ${[...taken, '...row'].join(', ')} } = ${takenFrom};` : '');
  return {
    returned: returnedId(model),
    ...inputTypes(model),
    creating: taking(...ids.map((name) => `${name} = []`), ...spelled),
    changing: taking(...ids, ...changeable.map(spelling)),
    links: links.map(({ name, idsField }) => ({
      ids: idsField,
      relation: code(`${names.variablePlural}.relations.${name}`),
    })),
    // If only links were sent, there may be no column to set.
    isLinkedOnly: findFieldByRole(model, 'updated_at') === undefined && ids.length > 0,
    idColumn: idColumn(model),
    updated: code(
      [...printStamp(model), row, ...changeable.map(({ column }) => column)].join(', '),
    ),
    inserted: code(
      [
        `...${names.variable}Defaults()`,
        row,
        ...renamed.map(({ column }) => column),
        ...printHashes(model),
      ].join(', '),
    ),
  };
}

function spellWithDefaults(fields: readonly Field[], model: Model): readonly string[] {
  const filled = filledValues(model);
  return fields.map((field) => {
    const initial = ` = ${model.names.variable}Defaults().${field.column}`;
    return spelling(field) + (filled.has(field.column) ? initial : '');
  });
}

/** What may be left out of a row has no type where every object has something of its name. */
function inputTypes(model: Model) {
  const newType = `New${model.names.type}`;
  const inherited = objectMembers(model);
  const others = inherited.length === 0 ? [] : [printOmit(newType, inherited)];
  const created = [newType, ...others].join(' | ');
  return { created: code(created), changed: code(`Partial<${created}>`) };
}

/** The columns of hashes. */
const printHashes = (model: Model): readonly string[] => [
  ...(model.fields.some(isPassword) ? ['password'] : []),
  ...(model.link ? [`${tsKey(getField(model, model.link.secret).column)}: hash`] : []),
];

function printStamp(model: Model): readonly string[] {
  const changedAt = findFieldByRole(model, 'updated_at')?.column;
  return changedAt === undefined ? [] : [`${tsKey(changedAt)}: new Date().toISOString()`];
}

const isInserted = (field: Field) =>
  !isServerTime(field.role) && (field.role !== 'id' || isClientId(field));

const spelling = ({ name, column }: Field) => `${tsKey(name)}: ${column}`;
