import { present } from '../present.ts';
import { accessEntries } from '../schema/access-words.ts';
import type { ModelSchema } from '../schema/keys/model.ts';
import { operationOfVia, byOperation, type Operation } from '../schema/language.ts';
import { isReadByMakers } from '../schema/covers.ts';
import { dependsOnRow, type Entry, isOfKind, type whoKinds } from '../schema/entry.ts';
import type { Access, App, MemberKind, Model } from './app.ts';
import { hasAgreement, hasMembers } from './app-features.ts';
import { getModel, findModel, findToOne, isSoftlyDeleted } from './lookups.ts';
import { conditionFromText, entryFromText } from './rule.ts';
import { findAssigners, findOwnerField } from './writing.ts';
import { isUserName } from '../schema/user.ts';

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
  return others.every(({ only }) => only) ? [entryFromText('admin'), ...others] : others;
}

/** The fields that are shown with a key; by default the name of a user. */
export function buildEmbed(model: ModelSchema): readonly string[] {
  const written = model.embed?.map(({ value }) => value);
  return written ?? (isUserName(model.name) ? ['name'] : []);
}

/** The link of a model: whoever has its secret is admitted as `link`. */
export function buildLink({ link }: ModelSchema): Model['link'] {
  const condition = link?.if && conditionFromText(link.if.value);
  return link && { secret: link.secret.value, ...present({ if: condition }) };
}

/** Whether an entry may admit somebody who has no account. */
export function admitsAnonymous(entry: Entry, model: Model, app: App, asked: Operation): boolean {
  switch (entry.kind) {
    case 'public':
    case 'link':
      return true;
    case 'members':
      return (
        model.members?.some((kind) => kind.word === entry.word && isByLink(kind, app)) ?? false
      );
    case 'shares':
      return getModel(entry.model, app).members?.some((kind) => isByLink(kind, app)) ?? false;
    case 'via': {
      const there = findModel(findToOne(model, entry.relation)?.target ?? '', app);
      return there !== undefined && isOpenToAnonymous(there, app, operationOfVia(entry, asked));
    }
    default:
      return false;
  }
}

const isByLink = ({ by }: MemberKind, app: App) => findModel(by, app)?.link !== undefined;

/** Whether somebody without an account may be admitted to some of the rows. */
function isOpenToAnonymous(model: Model, app: App, operation: Operation): boolean {
  return model.access[operation].some(
    (entry) => !entry.only && admitsAnonymous(entry, model, app, operation),
  );
}

/** Whether an operation always needs an account: a required owner, for example, has to have one. */
export function needsAccount(model: Model, app: App, operation: Operation): boolean {
  const owner = operation === 'create' ? findOwnerField(model) : undefined;
  return owner?.nullable === false || !isOpenToAnonymous(model, app, operation);
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
export function readsTables(app: App): boolean {
  return (
    hasMembers(app) ||
    hasAgreement(app) ||
    app.models.some((model) => model.link?.if || allEntries(model).some(readsOtherTables))
  );
}

const readsOtherTables = ({ kind, if: condition, after }: Entry) =>
  kind === 'shares' || kind === 'via' || condition !== undefined || after !== undefined;

/** Whether the rows of some list may be scattered over an index: an "or" joins them, or a rule looks them up. */
export const hasScatteredLists = (app: App) =>
  readsTables(app) ||
  app.models.some(({ access }) => access.list.filter(dependsOnEachRow).length > 1);

const dependsOnEachRow = (entry: Entry) => !entry.only && dependsOnRow(entry);

/** Whether a change may make a row unreadable for its writer. The owner never changes. */
export const mayHideByChange = ({ models }: App) =>
  models.flatMap(({ access }) => access.read).some(mayStopAdmitting);

const mayStopAdmitting = (entry: Entry) =>
  entry.if !== undefined || (dependsOnRow(entry) && !isOfKind(entry, 'owner', 'self'));

/** Whether rows that were deleted can be brought back. */
export const isRestorable = (model: Model) =>
  isSoftlyDeleted(model) && model.endpoints.includes('delete');

/** Whether rows are deleted softly, or belong to such rows of other models than these. */
export function mayBeSoftDeleted(model: Model, app: App, passed: readonly Model[] = []): boolean {
  const seen = [...passed, model];
  return (
    isSoftlyDeleted(model) ||
    model.relations.some((it) => {
      if (it.kind !== 'one' || it.onDelete !== 'cascade') return false;
      const there = getModel(it.target, app);
      return !seen.includes(there) && mayBeSoftDeleted(there, app, seen);
    })
  );
}

/** Whether somebody may make rows of a model that they may not read. */
export function mayCreateUnreadable(model: Model): boolean {
  const { owner, access } = model;
  const isOwnedByMaker = owner !== undefined && findAssigners(model) === undefined;
  return !isReadByMakers({ owner, isOwnedByMaker }, access);
}

/** Whether creating a row is answered with something other than the row. */
export function hasOwnCreateResponse(model: Model): boolean {
  return (
    model.endpoints.includes('create') && (mayCreateUnreadable(model) || model.link !== undefined)
  );
}
