import { admits, rolesIn } from '../../../model/access.ts';
import type { App, Endpoint, Entry, Model } from '../../../model/app.ts';
import { operations } from '../../../schema/schema.ts';
import { code, type Code, tsObject } from '../../typescript.ts';
import { exampleRows, type ExampleRows } from './example-rows.ts';

/** What each visitor is answered: `list: { public: 'shown', owner: 'shown', … }`. */
export function accessTable(model: Model, app: App): Code {
  const shown = operations.filter((operation) => model.endpoints.includes(operation));
  const rows = shown.map((operation) => [operation, answersTo(operation, model, app)]);
  return code(tsObject(Object.fromEntries(rows)));
}

/** `{ public: 401, owner: 200, user: 403, admin: 200 }` */
function answersTo(operation: Endpoint, model: Model, app: App): string {
  const visitors = allVisitors(model, app);
  return tsObject(
    Object.fromEntries(
      visitors.map((visitor) => [visitor, answerTo(visitor, operation, model, app)]),
    ),
  );
}

function allVisitors(model: Model, { roles }: App): readonly string[] {
  const isOwned = model.owner !== undefined || model.names.type === 'User';
  return ['public', ...(isOwned ? ['owner'] : []), ...roles];
}

export function answerTo(visitor: string, operation: Endpoint, model: Model, app: App): string {
  const answer = answerToEmpty(visitor, operation, model);
  return answer === successes.create ? answerToBody(visitor, model, app) : answer;
}

/** In the order in which the server looks: is there a token, is the row seen, is the operation allowed. */
function answerToEmpty(visitor: string, operation: Endpoint, model: Model): string {
  const may = (wanted: Endpoint) => isAdmitted(visitor, wanted, model);
  if (visitor === 'public' && !may(operation)) return '401';
  if (operation === 'list' || operation === 'create') {
    if (may(operation)) return successes[operation];
    return operation === 'list' && isRowRule(model.access.list) ? "'hidden'" : '403';
  }
  if (!may('read')) return '404';
  return may(operation) ? successes[operation] : '403';
}

const successes = { list: "'shown'", read: '200', create: '201', update: '200', delete: '204' };

/** Who creates a row is going to own it. */
export function isAdmitted(visitor: string, operation: Endpoint, { access }: Model): boolean {
  const rule = access[operation];
  const isMaker = operation === 'create' && visitor !== 'public';
  return admitsRow(visitor, rule) || (isMaker && admits(rule, 'owner'));
}

/** A key to a row is taken from those only who may read it, and a value from those only who may write it. */
function answerToBody(visitor: string, model: Model, app: App): string {
  const targets = model.relations.flatMap((relation) => {
    if (relation.kind !== 'one' || relation.optional || relation.name === model.owner) return [];
    const key = model.fields.find(({ name }) => name === relation.key);
    return key?.source === 'client' ? [relation.target] : [];
  });
  const hidden = app.models.some(
    ({ names, access }) => targets.includes(names.type) && !admitsAll(visitor, access.read),
  );
  const barred = model.names.type !== 'User' && isBarred(visitor, model, exampleRows(model, app));
  return hidden || barred ? '422' : successes.create;
}

/** Who is answered with a list, be it an empty one. */
function isShownLists(visitor: string, model: Model): boolean {
  const isOfOwnRows = visitor !== 'public' && isRowRule(model.access.list);
  return isOfOwnRows || isAdmitted(visitor, 'list', model);
}

const isRowRule = (rule: readonly Entry[]) => admits(rule, 'owner') || admits(rule, 'self');

/** Who has the least rights of those that are shown every row. */
export function readerOf(model: Model, app: App): string {
  const visitors = ['public', ...app.roles.filter((role) => role !== 'admin'), 'admin'];
  return visitors.find((visitor) => isAdmitted(visitor, 'list', model)) ?? 'admin';
}

/** Whether a rule admits a visitor to a row that belongs to `owner`, who has the role of every user. */
export function admitsRow(visitor: string, rule: readonly Entry[]): boolean {
  return admitsAll(visitor, rule) || (visitor === 'owner' && isRowRule(rule));
}

/** Whether it does so whatever the row. */
export function admitsAll(visitor: string, rule: readonly Entry[]): boolean {
  if (visitor === 'admin' || admits(rule, 'public')) return true;
  if (visitor === 'public') return false;
  const role = visitor === 'owner' ? 'user' : visitor;
  return admits(rule, 'authenticated') || rolesIn(rule).includes(role);
}

/** Whether the tests send a field that a visitor may not write in a row that they make. */
function isBarred(visitor: string, { fields }: Model, { full }: ExampleRows): boolean {
  return fields.some(({ name, write }) => {
    if (write === undefined || !Object.hasOwn(full, name)) return false;
    const isOwner = visitor !== 'public' && admits(write, 'owner');
    return !admitsAll(visitor, write) && !isOwner;
  });
}

/** Those whom the operation is not refused. */
export function visitorsOf(operation: Endpoint, model: Model, app: App): readonly string[] {
  if (!model.endpoints.includes(operation)) return [];
  return allVisitors(model, app).filter((visitor) => {
    if (operation === 'list') return isShownLists(visitor, model);
    return isAdmitted(visitor, 'read', model) && isAdmitted(visitor, operation, model);
  });
}
