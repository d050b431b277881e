import type { App } from '../model/app.ts';
import { layout } from './layout.ts';
import { outputs, type Output } from './manifest.ts';
import type { RenderedFile } from './rendered-file.ts';
import { loadTemplates } from './templates.ts';
import { viewOf } from './views.ts';

/** Every file that a template makes: pure, but for reading the templates. */
export function renderApp(app: App): RenderedFile[] {
  const templates = loadTemplates();
  return outputs(app, templates.names).map((output) => {
    const { id, path, policy, kind, mode, model } = output;
    const content = format(output, templates.render(output.template, viewOf(output, app)));
    return { id, path, content, policy, kind, mode, ...(model && { model: model.names.type }) };
  });
}

const format = ({ kind, template }: Output, content: string) =>
  kind === 'ts' && template.endsWith('.hbs') ? layout(content) : content;
