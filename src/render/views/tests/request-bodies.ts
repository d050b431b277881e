import { type App, showsIds, isUser, type Model } from '../../../model/app.ts';
import type { EndpointName } from '../../../schema/language.ts';
import { makeAgreeingKeys } from './agreeing-keys.ts';
import { exampleRows, partialType } from './example-rows.ts';
import {
  isCreatable,
  isRequired,
  clientKeys,
  findOwnerKey,
  getTargetModel,
} from '../../../model/writing.ts';
import {
  spread,
  printEntry,
  printMadeRow,
  printObject,
  type ObjectPart,
  printReturned,
} from './print.ts';
import { tsValue } from '../../typescript.ts';

/** Constants with what the tests send, with comments. */
export function printConstants(
  model: Model,
  app: App,
  { usesBrief }: { readonly usesBrief: boolean },
) {
  const { full, brief, secrets } = exampleRows(model, app);
  const has = (endpoint: EndpointName) => model.endpoints.includes(endpoint);
  const typed = (name: string, row: typeof full) =>
    `const ${name} = ${tsValue(row)} satisfies ${partialType(model, row)};`;
  const keys = has('create') ? requiredKeyEntries(model, app) : [];
  const all: readonly (readonly [about: string, declaration: string])[] = [
    ['Everything that a client may send, except ids of other rows.', typed('full', full)],
    ['The least that a client has to send.', brief && usesBrief ? typed('brief', brief) : ''],
    [
      'Values that are sent and never shown.',
      has('create') && Object.keys(secrets).length > 0
        ? `const secrets = ${tsValue(secrets)};`
        : '',
    ],
    [
      'Creates the rows that a new one has to refer to, and returns their keys.',
      keys.length > 0
        ? `async function keys() {\n${keySteps(model, app)}  return ${printObject(keys)};\n}`
        : '',
    ],
    [
      'Values that no client may write.',
      has('create') || has('update')
        ? `const refused = ${printObject(refusedEntries(model))};`
        : '',
    ],
  ];
  return all
    .filter(([, declaration]) => declaration !== '')
    .map(([about, declaration]) => `/** ${about} */\n${declaration}`);
}

/** Fields that only the server sets, and a field that does not exist. */
function refusedEntries(model: Model): readonly string[] {
  const fields = model.fields.filter((field) => !isCreatable(field, model));
  const names = fields.map(({ name }) => name);
  const links = linksThrough(model).map(({ idsField }) => idsField);
  return [...names, ...links, 'nobody_knows_this'].map((name) => printEntry(name, '7'));
}

/** Id lists of relations with `through`, which are read-only. */
export const linksThrough = (model: Model) =>
  model.relations.filter(showsIds).filter(({ through }) => through !== undefined);

/** Prints the keys that a body must have. */
export function requiredKeyEntries(model: Model, app: App): readonly string[] {
  const { ids } = makeAgreeingKeys(model, app);
  return clientKeys(model)
    .filter(isRequired)
    .map((key) => {
      const made = `${printMadeRow(getTargetModel(key, model, app))}.id`;
      return printEntry(key.name, ids.get(key.relation ?? '') ?? made);
    });
}

/** Prints the rows that are created first so that keys agree. */
const keySteps = (model: Model, app: App) =>
  makeAgreeingKeys(model, app)
    .steps.map((step) => `  ${step}\n`)
    .join('');

/** Prints a function that returns a body. Roles are left out, since only admins may give them. */
export function printRequestBody(
  model: Model,
  app: App,
  { isTied }: { readonly isTied: boolean },
): string {
  if (isUser(model)) return '() => api.make.registration()';
  const parts = sentParts(model, app);
  return isTied
    ? `async (tie) => ${printReturned([...parts, spread('tie')])}`
    : `async () => ${printReturned(parts)}`;
}

/** The parts of a body with the values of a constant. */
export function sentParts(model: Model, app: App, row = 'full'): readonly ObjectPart[] {
  const { secrets } = exampleRows(model, app);
  const isWritten = model.endpoints.includes('create');
  return [
    spread(row),
    ...(isWritten && Object.keys(secrets).length > 0 ? [spread('secrets')] : []),
    ...(isWritten && requiredKeyEntries(model, app).length > 0 ? ['...(await keys())'] : []),
  ];
}

/** Prints a row. It has an owner if the model has owners. */
export function printRowMaker(model: Model, { isTied }: { readonly isTied: boolean }): string {
  const owner = findOwnerKey(model);
  if (isUser(model)) return 'async (owner) => owner';
  const make = `api.make.${model.names.variable}`;
  if (owner === undefined && !isTied) return `() => ${make}(full)`;
  const parts = [
    spread('full'),
    ...(owner === undefined ? [] : [printEntry(owner, 'owner.id')]),
    ...(isTied ? [spread('tie')] : []),
  ];
  return `(${owner === undefined ? '_owner' : 'owner'}${isTied ? ', tie' : ''}) => ${make}(${printObject(parts)})`;
}
