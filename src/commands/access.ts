import { inTicks } from '../words.ts';
import { describeAccessChanges, listDependentRules } from '../model/access-changes.ts';
import { describeAccess } from '../model/describe-access.ts';
import type { App, Model } from '../model/app.ts';
import { hasAccounts } from '../model/app-features.ts';
import { findMemberKind } from '../model/lookups.ts';
import { renameInRules } from '../model/rename-in-rules.ts';
import { operations } from '../schema/language.ts';
import type { Diagnostic } from '../terminal/report.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Notes on models whose access changes, and warnings about new roles that are admitted without being named. */
export function listAccessNotes(before: App, after: App): readonly Diagnostic[] {
  return after.models.flatMap((later) => {
    const was = before.models.find(({ id }) => id === later.id);
    if (was === undefined) return [];
    const former = renameInRules(was, before, after);
    const model = renameInRules(later, after, after);
    const changes = describeAccessChanges(former, model);
    const valued = renameInRules(was, before, { ...before, enums: after.enums });
    const isRenamed = describeAccessChanges(renameInRules(was, before, before), valued).length > 0;
    const names = isRenamed ? ', with values by their new names' : '';
    const models = after.models.map((it) => (it === later ? model : it));
    const dependents = listDependentRules({ former, model }, { ...after, models });
    const others = dependents.length === 0 ? '' : ` It also changes: ${dependents.join(', ')}.`;
    const message = `Who may do what with \`${model.name}\` changes${names}: ${changes.join('; ')}.${others}`;
    const note = { code: 'SCF518', severity: 'note', message } as const;
    return [...(changes.length === 0 ? [] : [note]), ...newRoles(former, later)];
  });
}

/** New roles of members, if rules admit members of any role. */
function newRoles(former: Model, model: Model): readonly Diagnostic[] {
  const { access, members = [] } = model;
  return members.flatMap(({ word, roles }): readonly Diagnostic[] => {
    const known = findMemberKind(word, former)?.roles ?? [];
    const added = roles.filter((role) => !known.includes(role));
    const open = operations.filter((operation) =>
      access[operation].some(
        (entry) => entry.kind === 'members' && entry.word === word && entry.roles.length === 0,
      ),
    );
    if (known.length === 0 || added.length === 0 || open.length === 0) return [];
    const who = `Whoever is ${inTicks(added).join(' or ')} in \`${model.name}\``;
    const message = `${who} will count as \`${word}\` there, and be admitted to ${open.join(', ')}: these rules name no roles.`;
    const others = roles.filter((role) => !added.includes(role));
    const help = `To admit fewer, name the roles: \`${word}(${others.join(', ')})\`.`;
    return [{ code: 'SCF518', severity: 'warning', message, help }];
  });
}

/** Prints who may do what, with a line for each model. */
export function showAccess({ err, quiet, json }: Terminal, app: App): void {
  if (quiet || json) return;
  const { style, write } = err;
  const width = Math.max(...app.models.map((model) => model.name.length));
  const lines = app.models.map(
    (model) =>
      `  ${model.name.padEnd(width)}  ${style.faint(describeAccess(renameInRules(model, app, app)))}\n`,
  );
  const title = hasAccounts(app) ? 'Who may do what, besides admins' : 'Who may do what';
  write(`\n${style.strong(title)}\n${lines.join('')}`);
}
