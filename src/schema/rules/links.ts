import { parseCondition } from '../parse-entry.ts';
import { ruleEntries } from '../access-words.ts';
import { isFlaw, type CodedFlaw } from '../scope.ts';
import { suggest } from '../suggest.ts';
import { findKeyOfUser, ofModels, type Facts, type ModelFacts } from '../facts.ts';
import { writtenRules } from './field-access.ts';
import { sameForAllFlaw } from './members.ts';

/** A link must admit somebody, and its condition must not depend on who asks. */
export const linksAreUsed = ofModels((model, report, facts) => {
  const { link } = model.schema;
  if (link === undefined) return;
  if (model.isUser) {
    const message = 'a user cannot have a link: anybody might get hold of it';
    const help = 'give it to a model that leads to `User`';
    report({ code: 'SCF721', at: link.secret.at, message, help });
  } else if (!isUsed(model, facts)) {
    const message = `nobody is admitted by the link of ${model.name}`;
    const help = 'name it in a rule: `read: link`, or let its rows make members of another model';
    report({ code: 'SCF721', at: link.secret.at, message, help });
  }
  if (link.if === undefined) return;
  const condition = parseCondition(link.if.value);
  const flaw = isFlaw(condition) ? condition : sameForAllFlaw(condition, model, facts);
  if (flaw === undefined) return;
  const message = `the link of ${model.name}: ${flaw.message}`;
  report({ code: 'SCF721', at: link.if.at, ...flaw, message });
});

function isUsed(model: ModelFacts, { models }: Facts): boolean {
  const rule = writtenRules(model).flatMap((it) => it.rule);
  const isNamed = ruleEntries(rule, model.schema).some(({ kind }) => kind === 'link');
  const makesMembers = models.some(({ schema: { members } }) =>
    members.some(({ by }) => by.value.split('.')[0] === model.name),
  );
  return isNamed || makesMembers;
}

/** `shares Organisation`: of users, and of a model around whose rows there are people. */
export function sharesFlaw(
  name: string,
  isUser: boolean,
  { byName, models }: Facts,
): CodedFlaw | undefined {
  if (!isUser) {
    const help = 'it is for `User`; go over the relation to one: `via author`';
    return { code: 'SCF703', message: '`shares` is about users', help };
  }
  const target = byName.get(name);
  if (target !== undefined && target.schema.members.length > 0) return undefined;
  const valid = models.filter(({ schema }) => schema.members.length > 0).map((it) => it.name);
  const relation = findKeyOfUser(name, byName);
  const compared = `write \`authenticated if ${relation} = me.${relation}\``;
  return {
    code: 'SCF712',
    message: target === undefined ? `there is no model \`${name}\`` : `${name} has no members`,
    help:
      relation === undefined ? suggest(name, valid) || 'say who they are: `members:`' : compared,
  };
}
