import type { App } from '../model/app.ts';
import { tellWhoMay } from '../model/who-may.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Who may do what, a line a model, so that nobody is surprised. */
export function printAccess({ err, quiet, json }: Terminal, app: App): void {
  if (quiet || json) return;
  const { style, write } = err;
  const width = Math.max(...app.models.map(({ names }) => names.type.length));
  const lines = app.models.map(
    (model) => `  ${model.names.type.padEnd(width)}  ${style.faint(tellWhoMay(model))}\n`,
  );
  write(`\n${style.strong('Who may do what, besides admins')}\n${lines.join('')}`);
}
