import type { App, Model } from '../model/app.ts';
import { whoMay } from '../model/who-may.ts';
import type { Diagnostic } from '../terminal/report.ts';

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
