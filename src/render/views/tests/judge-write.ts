import type { MemberKind, Model } from '../../../model/app.ts';
import type { Entry } from '../../../schema/entry.ts';
import { sharedRestrictions } from '../policy.ts';
import type { AccessQuestion } from './access-question.ts';
import { judge, combineVerdicts, type Verdict } from './verdict.ts';

/** Whether the visitor may write a field. Rules of fields are restricted by `only` entries of every operation. */
export function judgeWrite(rule: readonly Entry[], question: AccessQuestion): Verdict {
  const whole = [...rule, ...sharedRestrictions(question.model).all];
  return combineVerdicts(
    listWrittenRelations(question).map((relatedBy) => judge(whole, { ...question, relatedBy })),
  );
}

/** When the values of a new row are checked, its creator has become its first member. */
function listWrittenRelations({ visitor, operation, model, relatedBy }: AccessQuestion) {
  const isCreator = operation === 'create' && visitor !== 'public';
  return [relatedBy, ...(isCreator ? firstMemberRelations(model) : [])];
}

const firstMemberRelations = ({ members = [] }: Model) =>
  members.filter(({ first }) => first !== undefined).map(firstMemberRelation);

/** How the creator of a row is related to it. */
export function firstMemberRelation({ word, role, first }: MemberKind) {
  const held = role === undefined ? undefined : first?.[role];
  const ofRole = held === undefined ? undefined : String(held);
  return { kind: 'members', word, role: ofRole } as const;
}
