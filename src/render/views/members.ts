import { type App, isUser, type MemberKind, type Model } from '../../model/app.ts';
import {
  getField,
  getModel,
  findRelationByKey,
  isRanked,
  isSoftlyDeleted,
} from '../../model/lookups.ts';
import { mayBeSoftDeleted } from '../../model/access.ts';
import type { Comparison } from '../../schema/entry.ts';
import {
  useAccess,
  printComparisons,
  joinRules,
  printOver,
  resourceFunction,
  type RuleScope,
} from './condition.ts';
import { returnedId } from './id-columns.ts';
import { code, tsCall, tsKey, tsObject, tsString, tsValue } from '../typescript.ts';
import type { Json } from '../../types/field-type.ts';

/** The kinds of members that rows of a model make, with the models that have these members. */
export function membershipsBy(model: Model, { models }: App) {
  return models.flatMap((of) =>
    (of.members ?? []).filter(({ by }) => by === model.name).map((kind) => ({ of, kind })),
  );
}

/** The name of the constant for whoever has the link of a row. */
export const linkName = ({ names }: Model) => `${names.variable}Link`;

/** `members({ table: 'memberships', of: 'organisation_id', user: 'user_id', … })` */
export function membersCall(kind: MemberKind, where: string | undefined, scope: RuleScope): string {
  const { app, use } = scope;
  const by = getModel(kind.by, app);
  const column = (name: string | undefined) => name && tsString(getField(by, name).column);
  const role = column(kind.role);
  const lasting = () => {
    const rules = printLastMember(kind, by, scope);
    return rules.length === 0 ? useAccess(scope, 'everyone') : joinRules('allOf', rules, scope);
  };
  return tsCall(
    use('../lib/members.ts', 'members'),
    tsObject({
      table: tsString(by.table),
      of: column(kind.of),
      user: column(kind.user),
      link: by.link && `() => ${use(`../${by.names.folder}/policy.ts`, linkName(by))}`,
      role,
      roles: role === undefined ? undefined : tsValue(kind.roles),
      isUnranked: role === undefined || isRanked(kind, app) ? undefined : 'true',
      deletable: mayBeSoftDeleted(withoutTenantKey(by, kind), app)
        ? resourceFunction(by, scope)
        : undefined,
      where,
      lasting: kind.first === undefined ? undefined : lasting(),
    }),
  );
}

/** A model without the key of what its rows make somebody a member of. */
const withoutTenantKey = (by: Model, { of }: MemberKind): Model => ({
  ...by,
  relations: by.relations.filter((it) => it.kind !== 'one' || it.key !== of),
});

/** Prints that the last member with the highest role and an account cannot be removed while the row exists. */
function printLastMember(
  { role, roles, user = '', of }: MemberKind,
  by: Model,
  scope: RuleScope,
): readonly string[] {
  const highest = roles.at(-1);
  const isHighest: readonly Comparison[] =
    role === undefined || highest === undefined
      ? []
      : [{ path: [role], operator: '=', values: [{ kind: 'literal', text: highest }] }];
  const [person, tenant] = [user, of].map((key) => findRelationByKey(by, key));
  const isNamed: readonly Comparison[] =
    person && getField(by, person.key).nullable
      ? [{ path: [person.name], operator: 'is not null', values: [] }]
      : [];
  // Rows that are deleted with their user are checked for all members.
  const kept = [person?.onDelete === 'cascade' ? undefined : person, tenant].flatMap((relation) => {
    const there = relation && getModel(relation.target, scope.app);
    return there && mayBeSoftDeleted(there, scope.app)
      ? [printOver(relation, there, { ...scope, model: by })]
      : [];
  });
  return [...printComparisons([...isHighest, ...isNamed], { ...scope, model: by }), ...kept];
}

/** The kinds of members whose rows are deleted with a row of the model, while what they are members of stays. */
export function membersDeletedWith(model: Model, app: App) {
  if (!model.endpoints.includes('delete')) return [];
  return app.models.flatMap((of) => {
    return (of.members ?? [])
      .filter((kind) => isKeptKind(kind, app))
      .flatMap((kind) => {
        const by = getModel(kind.by, app);
        const { onDelete } = findRelationByKey(by, kind.user ?? '') ?? {};
        // Without an account, somebody is no longer a member even if the row stays.
        const isPerson = isUser(model) && (isSoftlyDeleted(model) || onDelete === 'set_null');
        const person =
          isPerson && kind.first !== undefined && kind.user !== undefined
            ? [[getField(by, kind.user).column]]
            : [];
        const { column } = getField(by, kind.of);
        const ways = columnPaths(model, by, app);
        const others = ways.filter(([key]) => key !== column);
        const isTenantDeleted = others.length < ways.length;
        const ends = [...(onDelete === 'cascade' ? [] : person), ...others];
        return ends.map((over) => ({ of, kind, over, isTenantDeleted }));
      });
  });
}

const isKeptKind = (kind: MemberKind, app: App) => kind.first !== undefined || isRanked(kind, app);

/** The columns that lead from a row to the rows with which it is deleted: `['batch_id', 'batches.shelf_id']`. */
function columnPaths(
  model: Model,
  from: Model,
  app: App,
  passed: readonly Model[] = [],
): readonly (readonly string[])[] {
  return from.relations.flatMap((it) => {
    if (it.kind !== 'one' || it.onDelete !== 'cascade') return [];
    const there = getModel(it.target, app);
    const { column } = getField(from, it.key);
    const step = passed.length === 0 ? column : `${from.table}.${column}`;
    const seen = [...passed, from];
    const others = seen.includes(there) ? [] : columnPaths(model, there, app, seen);
    return [...(there === model ? [[]] : []), ...others].map((way) => [step, ...way]);
  });
}

/** How `queries.ts` makes the creator of a row its first member, perhaps of several kinds. */
export function firstMembers(model: Model, app: App) {
  const made: { kind: MemberKind; held: Record<string, Json> }[] = [];
  for (const kind of model.members ?? []) {
    const { first, user, by } = kind;
    if (first === undefined || user === undefined) continue;
    const agrees = (held: Record<string, Json>) =>
      Object.entries(first).every(([name, value]) => (held[name] ?? value) === value);
    const beside = made.find((it) => it.kind.by === by && it.kind.user === user && agrees(it.held));
    if (beside === undefined) made.push({ kind, held: { ...first } });
    else Object.assign(beside.held, first);
  }
  return made.map(({ kind, held }) => {
    const by = getModel(kind.by, app);
    const column = (name = '') => tsKey(getField(by, name).column);
    const values = Object.entries(held).map(
      ([name, value]) => `${column(name)}: ${tsValue(value)}`,
    );
    const defaults = `...${by.names.variable}Defaults()`;
    return {
      table: by.table,
      returned: returnedId(by),
      resource: by.names.variablePlural,
      ...by.names,
      values: code(
        [defaults, `${column(kind.of)}: id`, `${column(kind.user)}: user`, ...values].join(', '),
      ),
    };
  });
}
