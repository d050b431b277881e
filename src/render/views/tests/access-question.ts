import type { App, Model } from '../../../model/app.ts';
import { findToOne, getTarget } from '../../../model/lookups.ts';
import type { Operation } from '../../../schema/language.ts';
import { membershipsBy } from '../members.ts';
import { factoryRow } from './example-rows.ts';
import type { Values } from './example-values.ts';

/** How a visitor is related to a row, as in rules with `is`, `via` or words for members. */
export type RowRelation =
  | { readonly kind: 'owner' }
  | { readonly kind: 'is'; readonly relation: string }
  /** `isCounted: false`: by a row that does not make a member. */
  | {
      readonly kind: 'members';
      readonly word: string;
      readonly role?: string | undefined;
      readonly isCounted?: boolean;
    }
  /** Related to the row that the relation leads to. */
  | { readonly kind: 'via'; readonly relation: string; readonly beyond: RowRelation };

export type OtherRelation = Exclude<RowRelation, { kind: 'owner' }>;

export type MemberRelation = Extract<RowRelation, { kind: 'members' }>;

export const isMember = (relation: RowRelation | undefined): relation is MemberRelation =>
  relation?.kind === 'members';

/** Whether a visitor may perform an operation on a row. */
export interface AccessQuestion {
  /** `public`, `owner` (who has the role of every user), or a role. */
  readonly visitor: string;
  /** A relation to the row besides owning it. The visitor then has the role of every user. */
  readonly relatedBy?: RowRelation | undefined;
  /** Whether another row on the path may make the visitor a member. */
  readonly isMaybeMember?: boolean;
  /** Whether the request has the link of the row. */
  readonly hasLink?: boolean;
  readonly operation: Operation;
  readonly model: Model;
  readonly app: App;
  /** Known values of the row. Its required keys lead to rows of other users, and optional ones are null. */
  readonly row?: Values | undefined;
  /** Whether the question is about any row instead of one. */
  readonly isOfAnyRow?: boolean;
  /** The values after a change, if they differ. */
  readonly result?: Values;
}

/**
 * The same question about the row that a relation leads to, with the rule of that row. It belongs to another user,
 * unless it is the visitor's own. `isLed`: whether there is such a row.
 */
export function questionBehind(name: string, wanted: Operation, question: AccessQuestion) {
  const { visitor, operation, model, app, relatedBy, isMaybeMember = false } = question;
  const { key, target } = getTarget(model, name, app);
  const isTied = relatedBy !== undefined && 'relation' in relatedBy && relatedBy.relation === name;
  const beyond = isTied && relatedBy.kind === 'via' ? relatedBy.beyond : undefined;
  const isOwner = name === model.owner && (visitor === 'owner' || operation === 'create');
  const isTheirs = isOwner || (isTied && (beyond === undefined || beyond.kind === 'owner'));
  const role = visitor === 'owner' ? 'user' : visitor;
  const isLed = !key.nullable || name === model.owner || isTied;
  return {
    rule: target.access[wanted],
    // In the tests, no visitor both has a role and owns the row.
    isLed: isTheirs && role !== 'user' && role !== 'public' ? undefined : isLed,
    question: {
      visitor: isTheirs && role !== 'public' ? 'owner' : role,
      relatedBy: beyond,
      isMaybeMember: isMaybeMember || makesMember(question),
      operation: wanted === 'create' ? 'read' : wanted,
      model: target,
      app,
      row: factoryRow(target, app),
    } as const,
  };
}

/** Whether the row makes the visitor a member. Whoever has its link is that member. */
function makesMember({ visitor, model, app, relatedBy, hasLink = false }: AccessQuestion): boolean {
  const own = visitor === 'owner' ? model.owner : undefined;
  const key = findToOne(model, relatedBy?.kind === 'is' ? relatedBy.relation : own)?.key;
  return membershipsBy(model, app).some(
    ({ kind }) => hasLink || (key !== undefined && kind.user === key),
  );
}
