import { defaultAccess } from '../schema/default-access.ts';
import { endpointNames, type EntrySchema, type ModelSchema } from '../schema/schema.ts';
import type { Access, Endpoint, Entry } from './app.ts';

export { endpointNames };

/** As people are told: who sees the rows, and then who changes them. */
export const operations: readonly Endpoint[] = ['list', 'read', 'create', 'update', 'delete'];

/** Who may do what: the file's words, and for the rest the defaults of the schema language. */
export function buildAccess(model: ModelSchema): Access {
  const { list, create, read, update, delete: remove } = model.access;
  const defaults = defaultAccess(model);
  return {
    list: entries(list ?? read) ?? defaults.list.map(entryOf),
    create: entries(create) ?? defaults.create.map(entryOf),
    read: entries(read) ?? defaults.read.map(entryOf),
    update: entries(update) ?? defaults.update.map(entryOf),
    delete: entries(remove) ?? defaults.delete.map(entryOf),
  };
}

/** What of a user is shown to whoever sees a row that leads to them, unless the file says. */
export function buildEmbed(model: ModelSchema): readonly string[] {
  const written = model.embed?.map(({ value }) => value);
  return written ?? (model.name.value === 'User' ? ['name'] : []);
}

export function entries(written: readonly EntrySchema[] | undefined): readonly Entry[] | undefined {
  return written?.map(({ who }) => entryOf(who.value));
}

export function entryOf(word: string): Entry {
  switch (word) {
    case 'public':
    case 'authenticated':
    case 'owner':
    case 'self':
      return { kind: word };
    default:
      return { kind: 'role', role: word };
  }
}

/** As the schema file says it. */
export function wordOf(entry: Entry): string {
  return entry.kind === 'role' ? entry.role : entry.kind;
}

export function admits(rule: readonly Entry[], kind: Exclude<Entry['kind'], 'role'>): boolean {
  return rule.some((entry) => entry.kind === kind);
}

export function rolesIn(rule: readonly Entry[]): readonly string[] {
  return rule.flatMap((entry) => (entry.kind === 'role' ? [entry.role] : []));
}
