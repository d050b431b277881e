import { initialMigration } from '../evolve/initial.ts';
import type { App } from '../model/app.ts';
import { jsonSchema } from '../schema/json-schema.ts';
import { renderTemplates } from './render-templates.ts';
import type { RenderedFile } from './rendered-file.ts';

/** Every file of the project, in the order of their paths. Pure, but for the templates that it reads. */
export function renderApp(app: App, schemaText: string): RenderedFile[] {
  return [
    ...renderTemplates(app),
    schemaFile(schemaText),
    editorSchema(),
    ...migrationFiles(app),
  ].toSorted((left, right) => (left.path < right.path ? -1 : 1));
}

/** The user's own text, as it is. */
function schemaFile(content: string): RenderedFile {
  return file({ path: 'schema.yaml', content, policy: 'yours', kind: 'yaml' });
}

/** Lets editors complete and check the schema without a network. */
function editorSchema(): RenderedFile {
  const content = `${JSON.stringify(jsonSchema(), null, 2)}\n`;
  return file({ path: '.scaffold/schema.v1.json', content, policy: 'generated', kind: 'json' });
}

function migrationFiles(app: App): RenderedFile[] {
  const { id, files } = initialMigration(app);
  return Object.entries(files).map(([name, content]) =>
    file({
      path: `migrations/${id}/${name}`,
      content,
      policy: 'appended',
      kind: name.endsWith('.sql') ? 'sql' : 'json',
    }),
  );
}

const file = (parts: Pick<RenderedFile, 'path' | 'content' | 'policy' | 'kind'>): RenderedFile => ({
  id: parts.path,
  mode: '644',
  ...parts,
});
