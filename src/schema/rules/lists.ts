import { columnsOfUsers } from '../internal-tables.ts';
import type { Located } from '../language.ts';
import { checkWords, findFlaw, type Flaw, type ReportProblem, type CodedFlaw } from '../scope.ts';
import { suggest } from '../suggest.ts';
import { findByName, modelRule, type Facts, findType, type ModelFacts } from '../facts.ts';
import { isSingle, type Property } from '../property-facts.ts';

/** The greatest length of each list of field names. */
const most = { unique: 16, indexes: 16, order_by: 5 } as const;

type ListName = keyof typeof most;
type NamedList = readonly [ListName, readonly Located<string>[]];

export const listedFieldsExist = modelRule((model, report, facts) => {
  const { unique, indexes, orderBy } = model.schema;
  const groups: readonly NamedList[] = [
    ...unique.map(({ keys }): NamedList => ['unique', keys]),
    ...indexes.map(({ keys }): NamedList => ['indexes', keys.map(({ field }) => field)]),
    ['order_by', orderBy?.map(({ field }) => field) ?? []],
  ];
  for (const [listName, words] of groups) {
    checkSize(words, listName, model, report);
    const list = { words, title: `${listName} of ${model.name}`, code: 'SCF220' };
    checkWords(list, (word) => findProblem(word, listName, model, facts), report);
  }
});

function findProblem(
  value: string,
  listName: ListName,
  model: ModelFacts,
  facts: Facts,
): CodedFlaw | undefined {
  const property = model.properties.find(({ name }) => name === value);
  if (property === undefined) return unknown(value, listName, model);
  if (property.relation !== undefined) {
    const message = `${listName} of ${model.name} names the key \`${value}\``;
    const help = `write the relation: \`${property.relation}\``;
    return { code: 'SCF218', message, help };
  }
  const refusal = findListFlaw(property, listName, model, facts);
  return refusal && { code: 'SCF219', ...refusal };
}

function unknown(value: string, listName: ListName, model: ModelFacts): CodedFlaw {
  const valid = model.properties
    .filter((property) => isSingle(property) && !columnsOfUsers.includes(property.name))
    .map(({ name }) => name);
  return {
    code: 'SCF218',
    message: `${listName} of ${model.name} names unknown field \`${value}\``,
    help: value.includes('.')
      ? `only fields and relations of ${model.name} itself; lists can be ordered by \`${value}\` in a request`
      : suggest(value, valid),
  };
}

function findListFlaw(
  property: Property,
  listName: ListName,
  model: ModelFacts,
  facts: Facts,
): Flaw | undefined {
  const { name } = property;
  const path = `${model.name}.${name}`;
  const field = findByName(name, model.schema.fields);
  const isKept = model.isUser && columnsOfUsers.includes(name);
  const type = field && findType(field.type.value, facts);
  return findFlaw([
    [
      !isSingle(property),
      `${path} leads to many rows and cannot be used in ${listName}`,
      'use fields and to-one relations',
    ],
    [isKept, `${path} is kept by the server and cannot be used in ${listName}`, 'use other fields'],
    [
      field?.hidden === true && listName === 'order_by',
      `${path} is hidden, and ordering by it would reveal its values`,
      'order by another field',
    ],
    [
      type !== undefined && type.ordered === undefined,
      `${path} is \`${field?.type.value}\` and cannot be used in ${listName}`,
      'strings, numbers, times, enums and relations can',
    ],
  ]);
}

function checkSize(
  names: readonly Located<string>[],
  listName: ListName,
  model: ModelFacts,
  report: ReportProblem,
): void {
  const beyond = names[most[listName]];
  if (beyond === undefined) return;
  const message = `${listName} of ${model.name} names ${names.length} fields, more than ${most[listName]}`;
  report({ code: 'SCF220', at: beyond.at, message, help: 'leave out the last ones' });
}

export const embeddedFieldsExist = modelRule((model, report) => {
  const valid = embeddable(model);
  const list = { words: model.schema.embed ?? [], title: `embed of ${model.name}`, code: 'SCF709' };
  const findWordFlaw = (name: string): CodedFlaw | undefined => {
    if (valid.includes(name)) return undefined;
    const property = model.properties.find((it) => it.name === name);
    const known = property && `${property.title}, which cannot be embedded`;
    const message = `${list.title} names ${known ?? `unknown field \`${name}\``}`;
    return { code: list.code, message, help: suggest(name, valid) };
  };
  checkWords(list, findWordFlaw, report);
});

/** Fields that can be shown; a key shows the id already. */
function embeddable({ properties, schema }: ModelFacts): readonly string[] {
  const kept = ['id', ...columnsOfUsers];
  const hidden = schema.fields.filter((field) => field.hidden).map(({ name }) => name.value);
  return properties
    .filter(({ kind, name }) =>
      kind === 'built-in' ? !kept.includes(name) : kind === 'field' && !hidden.includes(name),
    )
    .map(({ name }) => name);
}
