import { type App, type Endpoint, isUser, type Model } from '../../../model/app.ts';
import { sourceText, tsObject, tsValues } from '../../typescript.ts';
import { requiredAgreeing } from './agreeing.ts';
import { strangeValues } from './create.ts';
import { exampleRows, partialType } from './example-rows.ts';
import { isRequired, sentKeys, findTarget, findOwnerKey } from '../../../model/writing.ts';
import {
  copyOf,
  entries,
  entry,
  madeOf,
  printObject,
  type ObjectPart,
  returned,
} from './printed.ts';

/** What the tests send, each with its comment. */
export function constantsOf(model: Model, app: App, usesBrief: boolean) {
  const { full, brief, secrets } = exampleRows(model, app);
  const has = (endpoint: Endpoint) => model.endpoints.includes(endpoint);
  const typed = (name: string, row: typeof full) =>
    `const ${name} = ${tsObject(tsValues(row))} satisfies ${partialType(model, row)};`;
  const keys = has('create') ? requiredKeyEntries(model, app) : [];
  const all: readonly (readonly [about: string, declaration: string])[] = [
    ['All that a client may send, but for ids of other rows.', typed('full', full)],
    ['What it must send.', brief && usesBrief ? typed('brief', brief) : ''],
    [
      'What is sent and never shown.',
      has('create') && Object.keys(secrets).length > 0
        ? `const secrets = ${tsObject(tsValues(secrets))};`
        : '',
    ],
    [
      `What a ${model.names.human} must point to.`,
      keys.length > 0
        ? `async function keys() {\n${keySteps(model, app)}  return ${sourceText(printObject(keys))};\n}`
        : '',
    ],
    [
      'What no client may write.',
      has('create') || has('update')
        ? `const refused = ${sourceText(entries(strangeValues(model)))};`
        : '',
    ],
  ];
  return all
    .filter(([, declaration]) => declaration !== '')
    .map(([about, declaration]) => `/** ${about} */\n${declaration}`);
}

/** Code for the keys that a body must have. */
export function requiredKeyEntries(model: Model, app: App): readonly string[] {
  const { ids } = requiredAgreeing(model, app);
  return sentKeys(model)
    .filter(isRequired)
    .map((key) => {
      const made = `${madeOf(findTarget(key, model, app))}.id`;
      return entry(key.name, ids.get(key.relation ?? '') ?? made);
    });
}

/** What is made before, so that keys agree. */
const keySteps = (model: Model, app: App) =>
  requiredAgreeing(model, app)
    .steps.map((step) => `  ${step}\n`)
    .join('');

/** Makes a body that anybody may send: roles are given by admins only. */
export function bodyOf(model: Model, app: App, isTied: boolean): string {
  if (isUser(model)) return `() => ${sentBy(model, app)}`;
  const parts = sentParts(model, app);
  return isTied
    ? `async (tie) => ${returned([...parts, copyOf('tie')])}`
    : `async () => ${returned(parts)}`;
}

/** The body itself. */
export function sentBy(model: Model, app: App): string {
  return isUser(model) ? 'api.make.registration()' : sourceText(printObject(sentParts(model, app)));
}

function sentParts(model: Model, app: App): readonly ObjectPart[] {
  const { secrets } = exampleRows(model, app);
  const isWritten = model.endpoints.includes('create');
  return [
    copyOf('full'),
    ...(isWritten && Object.keys(secrets).length > 0 ? [copyOf('secrets')] : []),
    ...(isWritten && requiredKeyEntries(model, app).length > 0 ? ['...(await keys())'] : []),
  ];
}

/** A row that belongs to somebody, where rows of the model do. */
export function rowOf(model: Model, isTied = false): string {
  const owner = findOwnerKey(model);
  if (isUser(model)) return 'async (owner) => owner';
  const make = `api.make.${model.names.variable}`;
  if (owner === undefined && !isTied) return `() => ${make}(full)`;
  const parts = [
    copyOf('full'),
    ...(owner === undefined ? [] : [entry(owner, 'owner.id')]),
    ...(isTied ? [copyOf('tie')] : []),
  ];
  return `(${owner === undefined ? '_owner' : 'owner'}${isTied ? ', tie' : ''}) => ${make}(${sourceText(printObject(parts))})`;
}
