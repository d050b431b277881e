import type { App } from './app.ts';
import { findModel } from './lookups.ts';

/** A rename from the command line: `Post=Article`, or `Post.title=heading` inside a model or an enum. */
export interface Rename {
  readonly owner?: string;
  readonly from: string;
  readonly to: string;
}

/** Undefined if the text has another form. `renameFlaw` checks whether the names exist. */
export function parseRename(text: string): Rename | undefined {
  const [, owner, from, to] = /^(?:([^.=]+)\.)?([^=]+)=([^=]+)$/.exec(text.trim()) ?? [];
  if (from === undefined || to === undefined) return undefined;
  return owner === undefined ? { from, to } : { owner, from, to: to.replace(`${owner}.`, '') };
}

/** Why a rename is impossible; undefined if it is possible. */
export function findRenameFlaw(rename: Rename, previous: App, next: App): string | undefined {
  const { owner, from, to } = rename;
  const holder = owner === undefined ? 'the schema' : `\`${owner}\``;
  if (from === 'User' && owner === undefined) return '`User` keeps its name.';
  if (!collectKnownNames(previous, owner).has(from)) {
    return `There was no \`${from}\` in ${holder} when the project was last generated.`;
  }
  return collectKnownNames(next, owner).has(to)
    ? undefined
    : `There is no \`${to}\` in ${holder} now.`;
}

/** The owner may be given by its former or its new name, so an owner that this app lacks allows any name. */
function collectKnownNames(app: App, owner: string | undefined): { has(name: string): boolean } {
  if (owner === undefined) {
    return new Set([...app.models.map(getName), ...app.enums.map(getName)]);
  }
  const model = findModel(owner, app);
  const enumeration = app.enums.find(({ name }) => name === owner);
  if (model === undefined && enumeration === undefined) return { has: () => true };
  return new Set([
    ...(model?.fields.map(getName) ?? []),
    ...(model?.relations.map(getName) ?? []),
    ...(enumeration?.values.map(({ value }) => value) ?? []),
  ]);
}

const getName = ({ name }: { readonly name: string }) => name;
