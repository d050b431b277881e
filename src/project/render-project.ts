import { parseJson } from '../json.ts';
import { makeInitialMigration, schemaSql } from '../evolve/initial.ts';
import type { Migration } from '../evolve/migration.ts';
import { type App, isRole, type Model } from '../model/app.ts';
import { findModel, listRoles } from '../model/lookups.ts';
import { kindOf } from '../render/manifest.ts';
import { renderApp } from '../render/render.ts';
import type { Policy, RenderedFile } from '../render/rendered-file.ts';
import { buildJsonSchema } from '../schema/json-schema.ts';
import { byPath } from './paths.ts';

/** Every file of a new project, sorted by path. */
export function renderNew(app: App, schemaText: string): RenderedFile[] {
  const rendered = renderProject(app, [makeInitialMigration(app, schemaText)]);
  const name = parseJson(schemaText) === undefined ? 'schema.yaml' : 'schema.json';
  return [...rendered, file(name, schemaText, 'yours')].toSorted(byPath);
}

/**
 * Every file that follows the schema, sorted by path. `migrations`: the new ones; existing ones are not rendered.
 * `isWanted`: takes the id of a file.
 */
export function renderProject(
  app: App,
  migrations: readonly Migration[],
  isWanted: (id: string) => boolean = () => true,
): RenderedFile[] {
  const wanted = Object.entries(withoutTemplate).filter(([path]) => isWanted(path));
  return [
    ...renderApp(app, isWanted),
    ...wanted.map(([path, print]) => file(path, print(app), 'generated')),
    ...migrations.flatMap(migrationFiles).filter(({ id }) => isWanted(id)),
  ].toSorted(byPath);
}

/** `migrations/schema.sql` is the database after all migrations. */
const withoutTemplate: Readonly<Record<string, (app: App) => string>> = {
  '.scaffold/schema.v1.json': editorSchema,
  'migrations/schema.sql': schemaSql,
};

/**
 * The result for an app that lacks a part of its schema; undefined if another part depends on that. It is only used to
 * explain something, so an error is no reason to stop.
 */
export function findInReduced<Found>(find: () => Found): Found | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

/** The schema of the schema language, for editors without a network. */
function editorSchema(app: App): string {
  const { models, enums } = app;
  // The schema declares `Role` as `roles`.
  const ownEnums = enums.filter((it) => !isRole(it));
  const names = {
    models: models.map(({ name }) => name),
    enums: ownEnums.map(({ name }) => name),
    roles: listRoles(app),
    people: peopleIn(models),
    agreements: agreementsIn(app),
  };
  return `${JSON.stringify(buildJsonSchema(names), null, 2)}\n`;
}

/** The names of people in rules: words for members, and relations that admit somebody. */
function peopleIn(models: readonly Model[]): readonly string[] {
  const named = models.flatMap(({ name, members = [], relations }) => [
    ...members.map(({ word }) => word),
    ...(members.length > 0 ? [`shares ${name}`] : []),
    ...relations.flatMap((it) =>
      it.kind === 'one' ? [it.target === 'User' ? `is ${it.name}` : `via ${it.name}`] : [],
    ),
  ]);
  return [...new Set(named)].toSorted();
}

/** What `among` may name: a row that another key leads to, or its members. */
function agreementsIn(app: App): readonly string[] {
  const named = app.models.flatMap(({ relations }) =>
    relations.flatMap(({ kind, name, target }) => {
      const { members = [] } = findModel(target, app) ?? {};
      const isRow = kind === 'one' && target !== 'User';
      return isRow ? [name, ...members.map(({ word }) => `${name}.${word}`)] : [];
    }),
  );
  return [...new Set(named)].toSorted();
}

function migrationFiles({ id, files }: Migration): RenderedFile[] {
  return Object.entries(files).map(([name, text]) => {
    return file(`migrations/${id}/${name}`, text, 'appended');
  });
}

function file(path: string, content: string, policy: Policy): RenderedFile {
  return { id: path, path, content, policy, kind: kindOf(path), mode: '644' };
}
