import { targetOfRelation, type Members } from '../../../model/app.ts';
import { type Operation, operationFacts } from '../../../schema/language.ts';
import { givenBy } from '../members.ts';
import { isMember } from './standing.ts';
import { every, type Verdict } from './verdict.ts';
import type { AccessQuestion } from './question.ts';

/** Whether the visitor may give the role in a row; undefined if that depends on other memberships. */
export function ofRank(question: AccessQuestion, operation: Operation): Verdict {
  const { visitor, model, app, row, result } = question;
  if (visitor === 'admin' || operationFacts[operation].via !== 'update') return true;
  const verdicts = givenBy(model, app).flatMap(({ kind }) => {
    const { role = '', roles, isRanked, first } = kind;
    const [own, top] = [ownRank(kind, question), roles.length - 1];
    return [row, result].map((each): Verdict => {
      const rank = roles.indexOf(String(each?.[role]));
      const isLast = first !== undefined && rank === top;
      if (isRanked && rank > 0 && own !== undefined && rank > own) return false;
      return !((isRanked && rank > 0) || isLast) || (own !== undefined && (own === top || !isLast))
        ? true
        : undefined;
    });
  });
  return every(verdicts);
}

/** The rank of a visitor who stands to the row by being a member of what it makes members of. */
function ownRank(kind: Members, { standing, model, app }: AccessQuestion): number | undefined {
  if (standing?.kind !== 'via' || !isMember(standing.there)) return undefined;
  const isOf = targetOfRelation(model, standing.relation, app).key.name === kind.of;
  return isOf && standing.there.word === kind.word
    ? kind.roles.indexOf(standing.there.role ?? '')
    : undefined;
}
