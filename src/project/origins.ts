import { InternalError } from '../errors.ts';
import { changedLines, lines } from '../merge/text.ts';
import { type App, fieldFor, isUser, type Model } from '../model/app.ts';
import { schemaName } from '../naming/name.ts';
import { isOfAdmins } from '../schema/covers.ts';
import { byOperation } from '../schema/language.ts';
import { renderProject } from './render-project.ts';
import {
  replaced,
  withoutFields,
  withoutRelation,
  withoutModel,
  otherEnum,
} from './reduced-schema.ts';

/** A part of the schema, and the app as it would be without it, or with another one in its place. */
interface SchemaPart {
  /** `Post.title` */
  readonly name: string;
  /** Of two that a line depends on, the narrower one is its origin. */
  readonly breadth: number;
  without(app: App): App;
}

/** For each file that is made of the app, by its id, and for each of its lines: the parts of the schema behind it. */
export type Origins = ReadonlyMap<string, readonly (readonly string[])[]>;

/**
 * Found by experiment: a line comes from whatever part of the schema changes it. None are named for what is in every
 * project.
 */
export function findOrigins(app: App, isWanted: (id: string) => boolean): Origins {
  const rendered = renderProject(app, [], isWanted);
  const before = new Map(rendered.map(({ id, content }) => [id, lines(content)]));
  const found = new Map(
    [...before].map(([id, texts]) => [id, texts.map((): SchemaPart[] => [])] as const),
  );
  for (const part of partsOf(app)) {
    const after = renderedWithout(part, app, isWanted);
    if (after === undefined) continue;
    for (const [id, texts] of before) {
      for (const { before: range } of changedLines(texts, lines(after.get(id) ?? ''))) {
        for (let at = range[0]; at < range[0] + range[1]; at++) found.get(id)?.[at]?.push(part);
      }
    }
  }
  return new Map([...found].map(([id, all]) => [id, all.map(narrowest)]));
}

/** Undefined where another part of the schema names it, as a condition does: there is no app without it. */
function renderedWithout({ without }: SchemaPart, app: App, isWanted: (id: string) => boolean) {
  try {
    return new Map(
      renderProject(without(app), [], isWanted).map(({ id, content }) => [id, content]),
    );
  } catch (error) {
    if (error instanceof InternalError) return undefined;
    throw error;
  }
}

function narrowest(parts: readonly SchemaPart[]): readonly string[] {
  const breadth = Math.min(...parts.map((it) => it.breadth));
  return parts.filter((it) => it.breadth === breadth).map(({ name }) => name);
}

function partsOf(app: App): readonly SchemaPart[] {
  return [
    ...app.models.flatMap((model) => partsOfModel(model)),
    ...app.enums.slice(1).map((it) => ({ name: it.name, breadth: 1, without: otherEnum(it) })),
    ...app.models
      .filter((model) => !isUser(model))
      .map((model) => ({ name: schemaName(model), breadth: 2, without: withoutModel(model) })),
    {
      name: 'database',
      breadth: 3,
      without: (it) => ({ ...it, database: it.database === 'sqlite' ? 'postgres' : 'sqlite' }),
    },
    { name: 'api.prefix', breadth: 3, without: (it) => ({ ...it, apiPrefix: '/other' }) },
    { name: 'auth.roles', breadth: 3, without: withoutRoles },
    { name: 'app.description', breadth: 3, without: (it) => ({ ...it, description: 'Another.' }) },
    { name: 'app.name', breadth: 3, without: (it) => ({ ...it, name: 'other', title: 'Other' }) },
  ];
}

/** `Role` is the first of the enums. */
function withoutRoles(app: App): App {
  const [role, ...enums] = app.enums;
  const roles = app.roles.slice(0, 2);
  const values = role?.values.filter(({ value }) => roles.includes(value));
  return { ...app, roles, enums: [...(role && values ? [{ ...role, values }] : []), ...enums] };
}

const admins = { kind: 'role', role: 'admin' } as const;

function partsOfModel(model: Model): readonly SchemaPart[] {
  const name = schemaName(model);
  const own = (key: string, change: (it: Model) => Partial<Model>): SchemaPart => ({
    name: `${name}.${key}`,
    breadth: 1,
    without: (app) => replaced(app, model, (it) => ({ ...it, ...change(it) })),
  });
  const rules = Object.values(model.access).flat();
  const others = [rules.every(isOfAdmins) ? ({ kind: 'public' } as const) : admins];
  return [
    ...model.fields
      .filter(({ role }) => role === 'declared')
      .map((field) => own(field.name, (it) => withoutFields(it, [field.name]))),
    ...model.relations
      .filter(({ kind }) => kind !== 'inverse')
      .map((relation) => ({
        name: `${name}.${relation.name}`,
        breadth: 1,
        without: withoutRelation(model, relation),
      })),
    ...(['unique', 'indexes', 'checks'] as const).flatMap((key) =>
      model[key].map((it) =>
        own(key, () => ({ [key]: model[key].filter((other) => other !== it) })),
      ),
    ),
    ...(model.orderBy.length > 0 ? [own('order_by', () => ({ orderBy: [] }))] : []),
    ...(model.softDelete
      ? [
          own('soft_delete', (it) => ({
            softDelete: false,
            ...withoutFields(it, [fieldFor(it, 'deleted_at')?.name ?? '']),
          })),
        ]
      : []),
    ...(model.description === undefined
      ? []
      : [own('description', () => ({ description: 'Another.' }))]),
    own('access', () => ({ access: byOperation(() => others) })),
  ];
}
