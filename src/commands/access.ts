import { describeAccess, whoMay } from '../model/access.ts';
import type { App, Model } from '../model/app.ts';
import type { Diagnostic } from '../terminal/report.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** A note for each model of which other people may do what than before, be it by the schema or by new defaults. */
export function accessNotes(before: App, after: App): readonly Diagnostic[] {
  return after.models.flatMap((model) => {
    const former = before.models.find(({ id }) => id === model.id);
    const changes = former === undefined ? [] : changesIn(former, model);
    if (changes.length === 0) return [];
    const message = `Who may do what with \`${model.names.type}\` changes: ${changes.join('; ')}.`;
    return [{ code: 'SCF518', severity: 'note', message }];
  });
}

function changesIn(former: Model, model: Model): readonly string[] {
  const [was, is] = [whoMay(former), whoMay(model)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((label) => {
    const [left, right] = [was.get(label) ?? '–', is.get(label) ?? '–'];
    return left === right ? [] : [`${label}: ${left} → ${right}`];
  });
}

/** Who may do what, a line a model, so that nobody is surprised. */
export function printAccess({ err, quiet, json }: Terminal, app: App): void {
  if (quiet || json) return;
  const { style, write } = err;
  const width = Math.max(...app.models.map(({ names }) => names.type.length));
  const lines = app.models.map(
    (model) => `  ${model.names.type.padEnd(width)}  ${style.faint(describeAccess(model))}\n`,
  );
  write(`\n${style.strong('Who may do what, besides admins')}\n${lines.join('')}`);
}
