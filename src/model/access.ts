import { present } from '../present.ts';
import { accessEntries } from '../schema/access-words.ts';
import type { ModelSchema } from '../schema/keys/model.ts';
import { askedThere, byOperation, type Operation } from '../schema/language.ts';
import { isReadByMakers } from '../schema/covers.ts';
import { dependsOnRow, type Entry, isOfKind, type whoKinds } from '../schema/entry.ts';
import {
  type Access,
  type App,
  getModel,
  getModelCalled,
  hasAgreement,
  type Members,
  hasMembers,
  type Model,
  findModel,
  findToOne,
} from './app.ts';
import { conditionIn, entryOf } from './rule.ts';

/** The rules of the file, and elsewhere the defaults of the schema language. */
export function buildAccess(model: ModelSchema): Access {
  return byOperation((name) => {
    const rule = accessEntries(model, name);
    return name === 'restore' ? withoutLink(rule) : rule;
  });
}

/** A link ends when its row is deleted. */
function withoutLink(rule: readonly Entry[]): readonly Entry[] {
  const others = rule.filter(({ kind, only }) => kind !== 'link' || only);
  return others.every(({ only }) => only) ? [entryOf('admin'), ...others] : others;
}

/** The fields that are shown with a key; by default the name of a user. */
export function buildEmbed(model: ModelSchema): readonly string[] {
  const written = model.embed?.map(({ value }) => value);
  return written ?? (model.name.value === 'User' ? ['name'] : []);
}

/** The link of a model: whoever has its secret is admitted as `link`. */
export function buildLink({ link }: ModelSchema): Model['link'] {
  const condition = link?.if && conditionIn(link.if.value);
  return link && { secret: link.secret.value, ...present({ if: condition }) };
}

/** Whether an entry may admit somebody who has no account. */
export function admitsStrangers(entry: Entry, model: Model, app: App, asked: Operation): boolean {
  switch (entry.kind) {
    case 'public':
    case 'link':
      return true;
    case 'members':
      return (
        model.members?.some((kind) => kind.word === entry.word && isByLink(kind, app)) ?? false
      );
    case 'shares':
      return getModelCalled(entry.model, app).members?.some((kind) => isByLink(kind, app)) ?? false;
    case 'via': {
      const there = findModel(findToOne(model, entry.relation)?.target ?? '', app);
      return there !== undefined && isOpen(there, app, askedThere(entry, asked));
    }
    default:
      return false;
  }
}

const isByLink = ({ by }: Members, app: App) => findModel(by, app)?.link !== undefined;

/** Whether somebody without an account may be admitted to some of the rows. */
function isOpen(model: Model, app: App, operation: Operation): boolean {
  return model.access[operation].some(
    (entry) => !entry.only && admitsStrangers(entry, model, app, operation),
  );
}

/** Whether an operation always needs an account: a required owner, for example, has to have one. */
export function needsAccount(model: Model, app: App, operation: Operation): boolean {
  const owner = operation === 'create' ? findToOne(model, model.owner) : undefined;
  return owner?.optional === false || !isOpen(model, app, operation);
}

/** Whether some entry of this kind admits, perhaps on a condition. */
export function admits(rule: readonly Entry[], kind: (typeof whoKinds)[number]): boolean {
  return rule.some((entry) => entry.kind === kind && !entry.only);
}

export function allEntries({ access, fields, relations }: Model): readonly Entry[] {
  const links = relations.filter((it) => it.kind === 'links');
  const ofMembers = [...fields, ...links].flatMap(({ read, write }) => [read ?? [], write ?? []]);
  return [...Object.values(access), ...ofMembers].flat();
}

/** Whether some rule needs other tables: for members, or for rows to which a key leads. */
export function looksUp(app: App): boolean {
  return (
    hasMembers(app) ||
    hasAgreement(app) ||
    app.models.some((model) => model.link?.if || allEntries(model).some(isOfOthers))
  );
}

const isOfOthers = ({ kind, if: condition, after }: Entry) =>
  kind === 'shares' || kind === 'via' || condition !== undefined || after !== undefined;

/** Whether the rows of some list may be scattered over an index: an "or" joins them, or a rule looks them up. */
export const hasScatteredLists = (app: App) =>
  looksUp(app) || app.models.some(({ access }) => access.list.filter(isOfRows).length > 1);

const isOfRows = (entry: Entry) => !entry.only && dependsOnRow(entry);

/** Whether a change may make a row unreadable for its writer. The owner never changes. */
export const mayLoseSight = ({ models }: App) =>
  models.flatMap(({ access }) => access.read).some(mayEnd);

const mayEnd = (entry: Entry) =>
  entry.if !== undefined || (dependsOnRow(entry) && !isOfKind(entry, 'owner', 'self'));

/** Whether rows that were deleted can be brought back. */
export const isRestored = ({ softDelete, endpoints }: Model) =>
  softDelete && endpoints.includes('delete');

/** Whether rows are deleted softly, or belong to such rows of other models than these. */
export function isDeletable(model: Model, app: App, passed: readonly Model[] = []): boolean {
  const seen = [...passed, model];
  return (
    model.softDelete ||
    model.relations.some((it) => {
      if (it.kind !== 'one' || it.onDelete !== 'cascade') return false;
      const there = getModel(it.target, app);
      return !seen.includes(there) && isDeletable(there, app, seen);
    })
  );
}

/** Whether somebody may make rows of a model that they may not read. */
export function isUnread({ owner, assign, access }: Model): boolean {
  const isOwnedByMaker = owner !== undefined && assign === undefined;
  return !isReadByMakers(owner, isOwnedByMaker, access);
}

/** Whether creating a row is answered with something other than the row. */
export function hasOwnAnswer(model: Model): boolean {
  return model.endpoints.includes('create') && (isUnread(model) || model.link !== undefined);
}
