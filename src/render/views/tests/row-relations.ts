import { findOwnerKey } from '../../../model/writing.ts';
import { InternalError } from '../../../errors.ts';
import { type App, isUser, type Model } from '../../../model/app.ts';
import { getTarget, findMemberKind, getModel } from '../../../model/lookups.ts';
import { rememberPerModel } from '../../../model/remember-per-model.ts';
import { operations } from '../../../schema/language.ts';
import { countingRoles, countingStates, printMemberMaking } from './membership.ts';
import { allowsMoreRows } from './unique-values.ts';
import { type Member, tsBlock, tsKey } from '../../typescript.ts';
import { printEntry } from './print.ts';
import {
  isMember,
  type MemberRelation,
  type RowRelation,
  type OtherRelation,
} from './access-question.ts';

/** One for each relation and each kind of members in the rules of a model, if a test can create such rows. */
export const rowRelations = rememberPerModel((model, app) => relationsFrom([], model, app));

function relationsFrom(passed: readonly Model[], model: Model, app: App): readonly OtherRelation[] {
  if (isUser(model)) return [];
  const named = operations
    .flatMap((operation) => model.access[operation])
    .flatMap((each): readonly OtherRelation[] => {
      if (each.kind === 'members') return memberRelations(each.word, model, app);
      if ((each.kind !== 'is' && each.kind !== 'via') || each.relation === model.owner) return [];
      const { relation } = each;
      if (each.kind === 'is') return [{ kind: 'is', relation }];
      const closest = closestRelations(getTarget(model, relation, app).target, app, [
        ...passed,
        model,
      ]);
      return closest.map((beyond) => ({ kind: 'via', relation, beyond }));
    });
  return [...new Map(named.map((relation) => [spellRelation(relation), relation])).values()];
}

/** One for each role, in descending order, and one that does not count. */
function memberRelations(word: string, model: Model, app: App): readonly OtherRelation[] {
  const kind = findMemberKind(word, model);
  if (kind?.user === undefined || !allowsMoreRows(getModel(kind.by, app), app)) return [];
  const [counting, broken] = countingStates(kind, app);
  const roles = kind.role === undefined ? [undefined] : countingRoles(kind, app).toReversed();
  const relations = roles.map((role) => ({ kind: 'members', word, role }) as const);
  const odd = broken === undefined ? [] : relations.slice(0, 1);
  return counting === undefined
    ? []
    : [...relations, ...odd.map((relation) => ({ ...relation, isCounted: false }))];
}

/** The closest relation to a row. For members, the highest and the lowest role. */
function closestRelations(
  model: Model,
  app: App,
  passed: readonly Model[],
): readonly RowRelation[] {
  if (isUser(model)) return [{ kind: 'owner' }];
  const isFar = passed.length > variables.length || passed.includes(model);
  if (isFar || !allowsMoreRows(model, app)) return [];
  if (model.owner !== undefined) return [{ kind: 'owner' }];
  const [first, ...others] = relationsFrom(passed, model, app);
  if (first === undefined) return [];
  const alike = others.filter(
    (relation) => isCounted(relation) && spellPath(relation) === spellPath(first),
  );
  return [first, ...alike.slice(-1)];
}

const isCounted = (relation: OtherRelation) => !isMember(relation) || relation.isCounted !== false;
const spellPath = (relation: OtherRelation) =>
  relation.kind === 'members' ? relation.word : `${relation.kind} ${relation.relation}`;

/**
 * Written as in a schema: `via team`, `member(owner)`, `via team, member(owner)`. A word for members gets `of it`,
 * since it could also be a role.
 */
export function spellRelation(relation: OtherRelation): string {
  if (relation.kind === 'members') {
    const name =
      relation.role === undefined ? `${relation.word} of it` : `${relation.word}(${relation.role})`;
    return isCounted(relation) ? name : `${name} who does not count`;
  }
  const isOfRole = relation.kind === 'via' && namesRole(relation.beyond);
  return isOfRole
    ? `${spellPath(relation)}, ${spellRelation(relation.beyond)}`
    : spellPath(relation);
}

function namesRole(relation: RowRelation): relation is OtherRelation {
  if (relation.kind === 'members') return relation.role !== undefined;
  return relation.kind === 'via' && namesRole(relation.beyond);
}

/**
 * Functions that return values of a row (`{ team_id: first.id }`) after they have created `first`, or that create a row
 * beside it.
 */
export function rowRelationsView(model: Model, app: App) {
  const relations: Member[] = [];
  const joins: Member[] = [];
  for (const relation of rowRelations(model, app)) {
    const name = tsKey(spellRelation(relation));
    if (relation.kind === 'members') {
      joins.push({ name, value: `({ id }, row) => ${printJoin(relation, model, app, 'row.id')}` });
    } else {
      const steps: string[][] = [];
      const values = printRelatedRow(relation, model, app, steps);
      const lines = [...steps.flat(), `return ${values};`].map((step) => `        ${step}\n`);
      relations.push({ name, value: `async ({ id }) => {\n${lines.join('')}      }` });
    }
  }
  return {
    relations: relations.length > 0 ? tsBlock(relations, '    ') : undefined,
    joins: joins.length > 0 ? tsBlock(joins, '    ') : undefined,
  };
}

/** Makes the user `id` a member. */
function printJoin({ word, ...rest }: MemberRelation, model: Model, app: App, of: string): string {
  const kind = findMemberKind(word, model);
  if (!kind) throw new InternalError(`${model.name} has no ${word}.`);
  return printMemberMaking(kind, app, { of, user: 'id', ...rest });
}

/** Prints values of a row that is related to the user `id`. `steps` gets statements for the rows it needs. */
function printRelatedRow(relation: RowRelation, model: Model, app: App, steps: string[][]): string {
  if (relation.kind === 'owner') return `{ ${printEntry(findOwnerKey(model) ?? '', 'id')} }`;
  if (relation.kind === 'members') return '';
  const { key, target } = getTarget(model, relation.relation, app);
  if (relation.kind === 'is' || isUser(target)) return `{ ${printEntry(key.name, 'id')} }`;
  const values = printRelatedRow(relation.beyond, target, app, steps);
  const made = variables[steps.length] ?? '';
  steps.push([
    `const ${made} = await api.make.${target.names.variable}(${values});`,
    ...(relation.beyond.kind === 'members'
      ? [`await ${printJoin(relation.beyond, target, app, `${made}.id`)};`]
      : []),
  ]);
  return `{ ${printEntry(key.name, `${made}.id`)} }`;
}

const variables = ['first', 'second', 'third'];
