import type { App, Model } from '../../../model/app.ts';
import { findToOne, getTarget } from '../../../model/lookups.ts';
import type { Operation } from '../../../schema/language.ts';
import { givenBy } from '../members.ts';
import { madeRow } from './example-rows.ts';
import type { Values } from './example-values.ts';

/** How a visitor is related to a row, besides their role, as in rules with `is` or `via`. */
export type Standing =
  | { readonly kind: 'owner' }
  | { readonly kind: 'is'; readonly relation: string }
  /** By a row that may not count. */
  | {
      readonly kind: 'members';
      readonly word: string;
      readonly role?: string | undefined;
      readonly counts?: boolean;
    }
  /** With the row to which the relation leads. */
  | { readonly kind: 'via'; readonly relation: string; readonly there: Standing };

export type Tie = Exclude<Standing, { kind: 'owner' }>;

export type OfMembers = Extract<Standing, { kind: 'members' }>;

export const isMember = (standing: Standing | undefined): standing is OfMembers =>
  standing?.kind === 'members';

/** Who asks, and of which row. */
export interface AccessQuestion {
  /** `public`, `owner`, whose role is that of every user, or a role. */
  readonly visitor: string;
  /** What else a visitor has to do with the row, whose role is that of every user. */
  readonly standing?: Standing | undefined;
  /** Whether a row that was passed on the way names the visitor as a member of something. */
  readonly isNamed?: boolean;
  /** Whether they come by the link of the row. */
  readonly isByLink?: boolean;
  readonly operation: Operation;
  readonly model: Model;
  readonly app: App;
  /** What the row holds, as far as that is known. Its keys lead to rows of others, and optional ones nowhere. */
  readonly row?: Values | undefined;
  /** Whether any row of the model is meant, instead of one. */
  readonly isOfAnyRow?: boolean;
  /** What it holds after a change, where that is another. */
  readonly result?: Values;
}

/**
 * The rule of the row to which a relation leads, if there is one: it belongs to somebody else, unless that is who asks.
 */
export function through(
  name: string,
  wanted: Operation,
  { visitor, operation, model, app, standing, isNamed = false, isByLink = false }: AccessQuestion,
) {
  const { relation, target } = getTarget(model, name, app);
  const isTied = standing !== undefined && 'relation' in standing && standing.relation === name;
  const beyond = isTied && standing.kind === 'via' ? standing.there : undefined;
  const isOwner = name === model.owner && (visitor === 'owner' || operation === 'create');
  const isTheirs = isOwner || (isTied && (beyond === undefined || beyond.kind === 'owner'));
  const own = visitor === 'owner' ? model.owner : undefined;
  const key = findToOne(model, standing?.kind === 'is' ? standing.relation : own)?.key;
  // Whoever has the link of a row is the member that it makes.
  const namesThem = givenBy(model, app).some(
    ({ kind }) => isByLink || (key !== undefined && kind.user === key),
  );
  const role = visitor === 'owner' ? 'user' : visitor;
  const isLed = !relation.optional || name === model.owner || isTied;
  return {
    rule: target.access[wanted],
    // The tests have no visitor who both has a role and owns the row.
    isLed: isTheirs && role !== 'user' && role !== 'public' ? undefined : isLed,
    question: {
      visitor: isTheirs && role !== 'public' ? 'owner' : role,
      standing: beyond,
      isNamed: isNamed || namesThem,
      operation: wanted === 'create' ? 'read' : wanted,
      model: target,
      app,
      row: madeRow(target, app),
    } as const,
  };
}
