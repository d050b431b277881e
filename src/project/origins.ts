import { listChangedLines, lines } from '../merge/text.ts';
import { type App, type Field, isRole, isUser, type Model } from '../model/app.ts';
import { isOfAdmins } from '../schema/covers.ts';
import { byOperation } from '../schema/language.ts';
import { renderProject, findInReduced } from './render-project.ts';
import { undoEachChange } from './plan/schema-changes.ts';

/** A part of the schema, and the app without it or with another value in its place. */
interface SchemaPart {
  /** `Post.title` */
  readonly name: string;
  /** If a line depends on several parts, the narrowest is its origin. */
  readonly breadth: number;
  readonly without: App;
}

/**
 * The parts of the schema behind each line of each file, by the id of the file. Found by experiment: a line comes from
 * each part whose change changes the line.
 */
export function traceOrigins(
  app: App,
  isWanted: (id: string) => boolean,
): ReadonlyMap<string, readonly (readonly string[])[]> {
  const rendered = renderProject(app, [], isWanted);
  const before = new Map(rendered.map(({ id, content }) => [id, lines(content)]));
  const found = new Map(
    [...before].map(([id, texts]) => [id, texts.map((): SchemaPart[] => [])] as const),
  );
  for (const part of listSchemaParts(app)) {
    const files = findInReduced(() => renderProject(part.without, [], isWanted));
    if (files === undefined) continue;
    const after = new Map(files.map(({ id, content }) => [id, content]));
    for (const [id, texts] of before) {
      for (const { before: range } of listChangedLines(texts, lines(after.get(id) ?? ''))) {
        for (let at = range[0]; at < range[0] + range[1]; at++) found.get(id)?.[at]?.push(part);
      }
    }
  }
  return new Map([...found].map(([id, all]) => [id, all.map(narrowest)]));
}

function narrowest(parts: readonly SchemaPart[]): readonly string[] {
  const breadth = Math.min(...parts.map((it) => it.breadth));
  return parts.filter((it) => it.breadth === breadth).map(({ name }) => name);
}

/** All parts, found as changes from an app with bare models and from one without models. */
function listSchemaParts(app: App): readonly SchemaPart[] {
  const [saying, models] = [app.models.map(bare), app.models.filter(isUser)];
  const without = [
    ...undoEachChange({ ...app, models: saying }, app).map((it) => [1, ...it] as const),
    ...app.enums
      .filter((it) => !isRole(it))
      .map((it) => [1, it.name, { ...app, enums: app.enums.filter((one) => one !== it) }] as const),
    ...undoEachChange({ ...app, models }, app).map((it) => [2, ...it] as const),
    [3, 'database', { ...app, database: app.database === 'sqlite' ? 'postgres' : 'sqlite' }],
    [3, 'api.prefix', { ...app, apiPrefix: '/other' }],
    [3, 'auth.roles', withoutRoles(app)],
    [3, 'app.description', { ...app, description: 'Another.' }],
    [3, 'app.name', { ...app, name: 'other' }],
  ] as const;
  return without.map(([breadth, name, it]) => ({ breadth, name, without: it }));
}

function withoutRoles(app: App): App {
  const enums = app.enums.map((it) => (isRole(it) ? { ...it, values: it.values.slice(0, 2) } : it));
  return { ...app, enums };
}

const writtenRoles: ReadonlySet<Field['role']> = new Set(['declared', 'key', 'deleted_at']);
const admins = { kind: 'role', role: 'admin' } as const;

function bare(model: Model): Model {
  const { description: _, ...rest } = model;
  const isForAdmins = Object.values(model.access).flat().every(isOfAdmins);
  const others = [isForAdmins ? ({ kind: 'public' } as const) : admins];
  return {
    ...rest,
    fields: model.fields.filter(({ role }) => !writtenRoles.has(role)),
    relations: model.relations.filter(({ kind }) => kind === 'inverse'),
    unique: [],
    indexes: [],
    checks: [],
    orderBy: [],
    access: byOperation(() => others),
  };
}
