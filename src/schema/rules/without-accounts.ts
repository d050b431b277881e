import type { ModelSchema } from '../keys/model.ts';
import { type EndpointName, endpointNames, type Located } from '../language.ts';
import { checkWords, type CodedFlaw } from '../scope.ts';
import { writtenRules } from '../written-rules.ts';
import { modelRule, type SchemaRule } from '../facts.ts';

const accountsCode = 'SCF722';
const addAccounts = 'leave `auth: none` out';

/** With `auth: none`, there is no `User`, so no rule can distinguish clients. */
export const nobodyIsNamed = modelRule((model, report, facts) => {
  const { name, schema } = model;
  const raise = (at: Located<string>['at'], message: string, help: string) =>
    report({ code: accountsCode, at, message, help: `${help}, or ${addAccounts}` });
  if (model.isUser) {
    const message = 'without accounts there is no `User`';
    raise(schema.name.at, message, 'choose another name, like `Person`');
  }
  for (const [key, at] of listPeopleKeys(schema)) {
    raise(at, `\`${key}\` of ${name} is about users, and there are no accounts`, 'remove it');
  }
  for (const { title, key, operation, rule } of writtenRules(model)) {
    const goOn = operation ? 'leave the endpoint out of `endpoints`' : 'remove the rule';
    const list = { words: rule, title: `${key} of ${title}`, code: 'SCF706' };
    checkWords(list, (word) => notPublicFlaw(word, goOn), report);
  }
  const written = facts.schema.models.find((it) => it.name === schema.name);
  const uncovered = written ? endpointsUnsaid(written) : [];
  if (uncovered.length > 0) {
    const message = `access of ${name} names nobody who may ${uncovered.join(', ')}, and there is no admin`;
    const kept = listEndpoints(schema).filter((endpoint) => !uncovered.includes(endpoint));
    const help = `leave that out: \`endpoints: [${kept.join(', ')}]\`, or write \`all: public\``;
    report({ code: accountsCode, at: schema.keysAt['access'] ?? schema.name.at, message, help });
  }
});

function notPublicFlaw(word: string, goOn: string): CodedFlaw | undefined {
  if (word.trim() === 'public') return undefined;
  const message = `\`${word}\` admits nobody: there are no accounts`;
  const help = `write \`public\`, ${goOn}, or ${addAccounts}`;
  return { code: accountsCode, message, help };
}

/** Keys that make no sense without users. */
function listPeopleKeys({ owner, members, link }: ModelSchema) {
  return [
    ...(owner ? [['owner', owner.relation.at] as const] : []),
    ...members.slice(0, 1).map(({ word }) => ['members', word.at] as const),
    ...(link ? [['link', link.secret.at] as const] : []),
  ];
}

const listEndpoints = ({ endpoints }: ModelSchema): readonly EndpointName[] =>
  endpoints?.map(({ value }) => value) ?? endpointNames;

/** If a model has rules for some operations, it must have rules for all its endpoints. */
function endpointsUnsaid(model: ModelSchema): readonly EndpointName[] {
  const { access } = model;
  if (Object.keys(access).length === 0) return [];
  return listEndpoints(model).filter((endpoint) => {
    const own = access[endpoint] ?? (endpoint === 'list' ? access.read : undefined);
    return (own ?? access.all ?? []).length === 0;
  });
}

/** A server without accounts needs at least one model. */
export const somethingIsServed: SchemaRule = ({ schema }, report) => {
  if (schema.models.length > 0) return;
  const message = 'there are neither accounts nor models, so there is nothing to serve';
  const at = schema.keysAt['auth'] ?? schema.app.name.at;
  report({ code: accountsCode, at, message, help: `add a model, or ${addAccounts}` });
};

/** Warns if a model without `access` is open to everybody for reading and writing. */
export const opennessIsMeant: SchemaRule = ({ schema }, report) => {
  const open = schema.models.filter(({ access }) => Object.keys(access).length === 0);
  if (open.length === 0) return;
  const names = open.map(({ name }) => name.value).join(', ');
  const message = `without accounts, whoever reaches the server may read and write ${names}`;
  const help = 'if you mean that, say so in the model: `access: { all: public }`';
  const at = schema.keysAt['auth'] ?? schema.app.name.at;
  report({ code: 'SCF723', severity: 'warning', at, message, help });
};
