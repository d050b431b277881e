import {
  type App,
  getField,
  getModel,
  hasAgreement,
  type Members,
  membersIn,
  type Model,
  relationOfKey,
} from '../../model/app.ts';
import { isRestored, looksUp } from '../../model/access.ts';
import type { Comparison } from '../../schema/entry.ts';
import { access, comparisons, joined, leadTo, type Scope } from './condition.ts';
import { code, tsCall, tsKey, tsObject, tsString, tsValue } from '../typescript.ts';

/** The kinds of members that rows of a model make, and of what. */
export function givenBy(model: Model, { models }: App) {
  return models.flatMap((of) =>
    (of.members ?? []).filter(({ by }) => by === model.names.type).map((kind) => ({ of, kind })),
  );
}

export const modelOfMembers = ({ by }: Members, app: App) => getModel(by, app);

/** What `policy.ts` calls whoever comes by the link of a row. */
export const linkOf = ({ names }: Model) => `${names.variable}Link`;

/** `members({ table: 'memberships', of: 'organisation_id', user: 'user_id', … })` */
export function membersCall(kind: Members, where: string | undefined, scope: Scope): string {
  const { app, use } = scope;
  const by = modelOfMembers(kind, app);
  const column = (name: string | undefined) => name && tsString(getField(by, name).column);
  const role = column(kind.role);
  const lasting = () => {
    const rules = comparisons(staying(kind, by, app), { ...scope, model: by });
    return rules.length === 0 ? access(scope, 'everyone') : joined('allOf', rules, scope);
  };
  return tsCall(
    use('../lib/members.ts', 'members'),
    tsObject({
      table: tsString(by.table),
      of: column(kind.of),
      user: column(kind.user),
      link: by.link && `() => ${use(`../${by.names.folder}/policy.ts`, linkOf(by))}`,
      role,
      roles: role === undefined ? undefined : tsValue(kind.roles),
      isUnranked: role === undefined || kind.isRanked ? undefined : 'true',
      deletable: isDeletable(by, app, [scope.model]) ? leadTo(by, scope) : undefined,
      where,
      lasting: kind.first === undefined ? undefined : lasting(),
    }),
  );
}

/** Of those of the highest role who have an account, the last one stays. */
function staying({ role, roles, user = '' }: Members, by: Model, app: App): readonly Comparison[] {
  const highest = roles.at(-1);
  const isHighest: readonly Comparison[] =
    role === undefined || highest === undefined
      ? []
      : [{ path: [role], operator: '=', values: [{ kind: 'literal', text: highest }] }];
  const { name = '', optional, onDelete } = relationOfKey(by, user) ?? {};
  // What is deleted together with its user is looked at for all members.
  const deletedAt = onDelete === 'cascade' ? undefined : timeOfDeletion(getModel('User', app));
  return [
    ...isHighest,
    ...(optional === true ? [{ path: [name], operator: 'is not null', values: [] } as const] : []),
    ...(deletedAt === undefined
      ? []
      : [{ path: [name, deletedAt], operator: 'is null', values: [] } as const]),
  ];
}

const timeOfDeletion = ({ fields }: Model) =>
  fields.find(({ role }) => role === 'deleted_at')?.name;

/** What users may be the last members of, whose rows stay or go with their account. */
export function lastingMembers(model: Model, app: App) {
  if (model.names.type !== 'User' || !model.endpoints.includes('delete')) return [];
  return app.models.flatMap((of) =>
    (of.members ?? [])
      .filter(({ first, by, user = '' }) => {
        const { onDelete } = relationOfKey(getModel(by, app), user) ?? {};
        return first !== undefined && (model.softDelete || onDelete !== 'restrict');
      })
      .map((kind) => ({ of, kind })),
  );
}

/** Whether rows may be deleted and kept, or belong to such rows of other models. */
function isDeletable(model: Model, app: App, passed: readonly Model[]): boolean {
  const seen = [...passed, model];
  return (
    model.softDelete ||
    model.relations.some((it) => {
      if (it.kind !== 'one' || it.onDelete !== 'cascade') return false;
      const there = getModel(it.target, app);
      return !seen.includes(there) && isDeletable(there, app, seen);
    })
  );
}

/** How `queries.ts` makes whoever has made a row its first member. */
export function firstMembers(model: Model, app: App) {
  return (model.members ?? []).flatMap((kind) => {
    if (kind.first === undefined || kind.user === undefined) return [];
    const by = modelOfMembers(kind, app);
    const user = getField(by, kind.user).column;
    const values = Object.entries(kind.first).map(([name, value]) => [
      getField(by, name).column,
      tsValue(value),
    ]);
    const of = getField(by, kind.of).column;
    return [
      {
        table: by.table,
        resource: by.names.variablePlural,
        folder: by.names.folder,
        names: code(`${by.names.variable}Defaults, ${by.names.variablePlural}`),
        values: code(
          [
            `...${by.names.variable}Defaults()`,
            `${tsKey(of)}: id`,
            `${tsKey(user)}: user`,
            ...values.map(([column = '', value = '']) => `${tsKey(column)}: ${value}`),
          ].join(', '),
        ),
      },
    ];
  });
}

/** What `src/lib/access.ts`, `checks.ts` and `write.ts` print: what is asked and done around a write where the schema has a word for it. */
export function guardsView(app: App) {
  const isOfMembers = membersIn(app).length > 0;
  return {
    restores: app.models.some(isRestored),
    members: isOfMembers,
    noMembers: !isOfMembers,
    agreement: hasAgreement(app),
    guards: isOfMembers || hasAgreement(app),
    lookups: looksUp(app),
    noLookups: !looksUp(app),
    writing: code(isOfMembers ? 'writing' : 'bound'),
  };
}
