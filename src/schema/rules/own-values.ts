import { accessWords, entriesAmong } from '../access-words.ts';
import { covers } from '../covers.ts';
import type { Entry } from '../entry.ts';
import type { RuleSchema } from '../keys/people.ts';
import type { ModelSchema } from '../keys/model.ts';
import { operations } from '../language.ts';
import { type Facts, ofModels } from './facts.ts';
import { fieldRules } from './field-access.ts';

/** A rule that asks for what the viewer's own row holds, where viewers write that themselves. */
export const ownValuesAreGiven = ofModels((model, report, facts) => {
  const { name, schema } = model;
  const rules = [
    ...[...operations, 'all' as const].map((key) => ({ title: name, rule: schema.access[key] })),
    ...fieldRules(model).map(({ member, key }) => ({
      title: `${name}.${member.name.value}`,
      rule: member[key],
    })),
  ];
  for (const { title, rule = [] } of rules) {
    for (const { value, at } of rule) {
      const own = valuesOfViewer(value, schema).find((each) => isSelfWritten(each, facts));
      if (own === undefined) continue;
      const message = `\`${value.trim()}\` of ${title} believes whoever asks: users write their \`${own}\` themselves`;
      const help = builtIn.includes(own)
        ? 'compare something that others give them'
        : `say who gives it to them: \`write: admin\` at User.${own}`;
      report({ code: 'SCF724', severity: 'warning', at, message, help });
    }
  }
});

/** The names of `User` at which paths behind `me` begin. */
function valuesOfViewer(text: string, schema: ModelSchema): readonly string[] {
  return entriesAmong([text], schema)
    .flatMap((entry) => [...(entry.if ?? []), ...(entry.after ?? [])])
    .flatMap(({ values }) => values)
    .flatMap((value) => (value.kind === 'me' ? value.path.slice(0, 1) : []));
}

/** Whoever registers says who they are. */
const builtIn = ['name', 'email'];

/** Whether users surely put there, as they register or later, any value or the key of any row. */
function isSelfWritten(name: string, { byName, schema: { auth } }: Facts): boolean {
  if (builtIn.includes(name)) return name === 'name' || auth === 'none' || auth?.password !== false;
  const user = byName.get('User')?.schema;
  if (user === undefined) return false;
  const isOwn = (write: RuleSchema | undefined) => isWrittenBySelf(write, user);
  const field = user.fields.find((it) => it.name.value === name);
  if (field !== undefined) return field.readonly !== true && isOwn(field.write);
  const relation = user.relations.find((it) => it.name.value === name);
  const there = byName.get(relation?.to.value ?? '')?.schema;
  if (there === undefined || !isOwn(relation?.write)) return false;
  return admitsAll(accessWords(there, 'refer'), there, { kind: 'authenticated' });
}

/** Whether users put what they like there. */
export const isWrittenBySelf = (write: RuleSchema | undefined, user: ModelSchema) =>
  write === undefined || admitsAll(textsOf(write), user, { kind: 'self' });

function admitsAll(words: readonly string[], schema: ModelSchema, who: Entry): boolean {
  const entries = entriesAmong(words, schema);
  const compared = { owner: undefined, operation: 'update' } as const;
  return (
    entries.every(({ only }) => !only) && entries.some((entry) => covers(entry, who, compared))
  );
}

const textsOf = (rule: RuleSchema) => rule.map(({ value }) => value);
