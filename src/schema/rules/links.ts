import { ruleEntries } from '../access-words.ts';
import { findSharedFlaw } from '../condition-flaws.ts';
import { modelRule, type Facts, type ModelFacts } from '../facts.ts';
import { writtenRules } from '../written-rules.ts';

/** A link must admit somebody, and its condition must not depend on who asks. */
export const linksAreUsed = modelRule((model, report, facts) => {
  const { link } = model.schema;
  if (link === undefined) return;
  if (model.isUser) {
    const message = 'a user cannot have a link, which anybody might get hold of';
    const help = 'put it on a model with a relation to `User`';
    report({ code: 'SCF721', at: link.secret.at, message, help });
  } else if (!isUsed(model, facts)) {
    const message = `the link of ${model.name} admits nobody`;
    const help = 'name it in a rule: `read: link`, or let its rows make members of another model';
    report({ code: 'SCF721', at: link.secret.at, message, help });
  }
  if (link.if === undefined) return;
  const flaw = findSharedFlaw(link.if.value, model, facts);
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
