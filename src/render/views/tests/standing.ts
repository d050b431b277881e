import { findOwnerKey } from '../../../model/writing.ts';
import { InternalError } from '../../../errors.ts';
import { type App, isUser, type Model } from '../../../model/app.ts';
import { getTarget, findMemberKind } from '../../../model/lookups.ts';
import { rememberPerModel } from '../../../model/remember-per-model.ts';
import { operations } from '../../../schema/language.ts';
import { modelOfMembers } from '../members.ts';
import { countingRoles, countingStates, membership } from './membership.ts';
import { isRoomy } from './room.ts';
import { type Member, tsBlock, tsKey } from '../../typescript.ts';
import { entry } from './printed.ts';
import { isMember, type OfMembers, type Standing, type Tie } from './question.ts';

/** One for each relation and each kind of members that the rules of a model name, where a test can make such a row. */
export const tiesTo = rememberPerModel((model, app) => tiesBeyond([], model, app));

function tiesBeyond(passed: readonly Model[], model: Model, app: App): readonly Tie[] {
  if (isUser(model)) return [];
  const named = operations
    .flatMap((operation) => model.access[operation])
    .flatMap((each): readonly Tie[] => {
      if (each.kind === 'members') return membersTies(each.word, model, app);
      if ((each.kind !== 'is' && each.kind !== 'via') || each.relation === model.owner) return [];
      const { relation } = each;
      if (each.kind === 'is') return [{ kind: 'is', relation }];
      const standings = standingsIn(getTarget(model, relation, app).target, app, [
        ...passed,
        model,
      ]);
      return standings.map((there) => ({ kind: 'via', relation, there }));
    });
  return [...new Map(named.map((tie) => [spellTie(tie), tie])).values()];
}

/** One for each role, from the highest down, and for a row with the highest that does not count. */
function membersTies(word: string, model: Model, app: App): readonly Tie[] {
  const kind = findMemberKind(word, model);
  if (kind?.user === undefined || !isRoomy(modelOfMembers(kind, app), app)) return [];
  const [counting, broken] = countingStates(kind, app);
  const roles = kind.role === undefined ? [undefined] : countingRoles(kind, app).toReversed();
  const ties = roles.map((role) => ({ kind: 'members', word, role }) as const);
  const odd = broken === undefined ? [] : ties.slice(0, 1);
  return counting === undefined ? [] : [...ties, ...odd.map((tie) => ({ ...tie, counts: false }))];
}

/** The closest relation to a row; for members, the highest and the lowest. */
function standingsIn(model: Model, app: App, passed: readonly Model[]): readonly Standing[] {
  if (isUser(model)) return [{ kind: 'owner' }];
  const isFar = passed.length > variables.length || passed.includes(model);
  if (isFar || !isRoomy(model, app)) return [];
  if (model.owner !== undefined) return [{ kind: 'owner' }];
  const [first, ...others] = tiesBeyond(passed, model, app);
  if (first === undefined) return [];
  const alike = others.filter((tie) => isCounted(tie) && wayOf(tie) === wayOf(first));
  return [first, ...alike.slice(-1)];
}

const isCounted = (tie: Tie) => !isMember(tie) || tie.counts !== false;
const wayOf = (tie: Tie) => (tie.kind === 'members' ? tie.word : `${tie.kind} ${tie.relation}`);

/** As the schema says it: `via team`, `member(owner)`, `via team, member(owner)`; a word alone could be a role. */
export function spellTie(tie: Tie): string {
  if (tie.kind === 'members') {
    const name = tie.role === undefined ? `${tie.word} of it` : `${tie.word}(${tie.role})`;
    return isCounted(tie) ? name : `${name} who does not count`;
  }
  const isOfRole = tie.kind === 'via' && namesRole(tie.there);
  return isOfRole ? `${wayOf(tie)}, ${spellTie(tie.there)}` : wayOf(tie);
}

/** Whether somebody is a member with a role, here or at the end of relations. */
function namesRole(standing: Standing): standing is Tie {
  if (standing.kind === 'members') return standing.role !== undefined;
  return standing.kind === 'via' && namesRole(standing.there);
}

/** Values of the row, `{ team_id: first.id }`, after the steps that make `first`; or what is made beside it. */
export function tiesView(model: Model, app: App) {
  const ties: Member[] = [];
  const joins: Member[] = [];
  for (const tie of tiesTo(model, app)) {
    const name = tsKey(spellTie(tie));
    if (tie.kind === 'members') {
      joins.push({ name, value: `({ id }, row) => ${joinOf(tie, model, app, 'row.id')}` });
    } else {
      const steps: string[][] = [];
      const values = valuesOf(tie, model, app, steps);
      const lines = [...steps.flat(), `return ${values};`].map((step) => `        ${step}\n`);
      ties.push({ name, value: `async ({ id }) => {\n${lines.join('')}      }` });
    }
  }
  return {
    ties: ties.length > 0 ? tsBlock(ties, '    ') : undefined,
    joins: joins.length > 0 ? tsBlock(joins, '    ') : undefined,
  };
}

/** Makes the user of the id a member: `api.make.seat({ team_id: row.id, user_id: id, role: 'owner' })` */
function joinOf({ word, ...rest }: OfMembers, model: Model, app: App, of: string): string {
  const kind = findMemberKind(word, model);
  const by = kind && modelOfMembers(kind, app);
  if (!by) throw new InternalError(`${model.names.type} has no ${word}.`);
  return `api.make.${by.names.variable}(${membership(kind, app, { of, user: 'id', ...rest })})`;
}

/** What a row holds to which the user of the id stands like that, and the steps that make what it needs, row by row. */
function valuesOf(standing: Standing, model: Model, app: App, steps: string[][]): string {
  if (standing.kind === 'owner') return `{ ${entry(findOwnerKey(model) ?? '', 'id')} }`;
  if (standing.kind === 'members') return '';
  const { key, target } = getTarget(model, standing.relation, app);
  if (standing.kind === 'is' || isUser(target)) return `{ ${entry(key.name, 'id')} }`;
  const values = valuesOf(standing.there, target, app, steps);
  const made = variables[steps.length] ?? '';
  steps.push([
    `const ${made} = await api.make.${target.names.variable}(${values});`,
    ...(standing.there.kind === 'members'
      ? [`await ${joinOf(standing.there, target, app, `${made}.id`)};`]
      : []),
  ]);
  return `{ ${entry(key.name, `${made}.id`)} }`;
}

const variables = ['first', 'second', 'third'];
