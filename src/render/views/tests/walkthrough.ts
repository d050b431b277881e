import { type App, hasAccounts, isUser, type Model } from '../../../model/app.ts';
import { presetOf, ownerKey } from '../../../model/writing.ts';
import { code, type Code, tsString, tsValue } from '../../typescript.ts';
import { answerTo, isAsked, judgeWrite } from './access-table.ts';
import { requiredAgreeing } from './agreeing.ts';
import { exampleRows, isNeeded } from './example-rows.ts';
import type { Values } from './example-values.ts';
import { entry, objectOf } from './printed.ts';
import type { Question } from './question.ts';
import { keysOf } from './sent.ts';
import { changedField } from './update.ts';
import { judge } from './verdict.ts';

const steps = ['create', 'read', 'update', 'list'] as const;
const verbs = { create: 'creates', read: 'reads', update: 'changes', list: 'lists' } as const;

type Step = (typeof steps)[number];

/** Who takes the steps, and what the row holds before it is changed and after that. */
interface Walk extends Pick<Question, 'visitor' | 'model' | 'app'> {
  readonly row: Values;
  readonly result: Values;
}

/** The test that opens a file: one visitor creates a row, reads it, changes it and lists it, all of it written out. */
export function walkthroughView(model: Model, app: App) {
  const { full, secrets } = exampleRows(model, app);
  const body = shortened(full, model);
  const change = changedField(model, body, app);
  const row = { ...emptyRow(model), ...secrets, ...body };
  const asked = steps.filter((step) => isAsked(step, model) && (step !== 'update' || change));
  const walkOf = (visitor: string) => {
    return { visitor, model, app, row, result: { ...row, ...change } };
  };
  const mayAll = (visitor: string) => asked.every((step) => may(step, walkOf(visitor)));
  const visitors = visitorsOf(model, app);
  const walk = walkOf(visitors.find(mayAll) ?? visitors.at(-1) ?? 'public');
  const taken = asked.filter((step) => may(step, walk));
  const takes = (step: Step) => taken.includes(step);
  if (taken.length === 0) return undefined;
  return {
    name: code(tsString(`${listed(taken.map((step) => verbs[step]))} ${model.names.humanPlural}`)),
    ...whoOf(walk),
    create: takes('create') && {
      before: code(requiredAgreeing(model, app).steps.join('\n  ')),
      body: printed({ ...body, ...secrets }, keysOf(model, app)),
      isFirst: taken.length > 1,
    },
    make: !takes('create') && { values: printed(body, ownerOf(walk)) },
    read: takes('read') && { answer: shownTo(walk, body) },
    update: takes('update') && change && { body: printed(change), answer: shownTo(walk, change) },
    list: takes('list') && { item: shownTo(walk, (takes('update') && change) || body) },
  };
}

/** What a client must send, or all that it may where it must send nothing. */
function shortened(full: Values, model: Model): Values {
  const needed = model.fields.filter((field) => isNeeded(field, model)).map(({ name }) => name);
  const brief = Object.entries(full).filter(([name]) => needed.includes(name));
  return brief.length === 0 ? full : Object.fromEntries(brief);
}

/** What a row holds of which nothing was sent. */
function emptyRow({ fields }: Model): Values {
  const own = fields.filter(({ role }) => role === 'declared' || role === 'base');
  return Object.fromEntries(own.map((field) => [field.name, presetOf(field) ?? null]));
}

/** Whoever has the fewest rights comes first. */
function visitorsOf(model: Model, app: App): readonly string[] {
  if (!hasAccounts(app)) return ['public'];
  const isOwned = model.owner !== undefined && !isUser(model);
  const others = app.roles.filter((role) => role !== 'user' && role !== 'admin');
  return [isOwned ? 'owner' : 'user', ...others, 'admin'];
}

function may(step: Step, walk: Walk): boolean {
  const { model, row, result } = walk;
  const question = { ...walk, operation: step };
  const sees = (held: Values) =>
    judge(model.access.read, { ...walk, operation: 'read', row: held }) === true;
  switch (step) {
    case 'create':
      return answerTo(question) === 201 && sees(row);
    case 'read':
      return answerTo(question) === 200;
    case 'update': {
      const changed = model.fields.filter(({ name }) => row[name] !== result[name]);
      const rules = changed.flatMap(({ write }) => (write === undefined ? [] : [write]));
      const mayWrite = rules.every((rule) => judgeWrite(rule, question) === true);
      return answerTo(question) === 200 && mayWrite && sees(result);
    }
    case 'list':
      return [row, result].every((held) => answerTo({ ...question, row: held }) === 'shown');
  }
}

function whoOf({ visitor }: Walk) {
  if (visitor === 'public') return { client: code('api.nobody'), signIn: '' };
  const role = visitor === 'owner' || visitor === 'user' ? '' : tsString(visitor);
  return { client: code('ann'), signIn: code(`const ann = await api.signIn(${role});`) };
}

function ownerOf({ visitor, model }: Walk): readonly string[] {
  return visitor === 'owner' ? [entry(ownerKey(model) ?? '', 'ann.user.id')] : [];
}

/** What an answer holds of these values, as far as the visitor may see it. */
function shownTo(walk: Walk, values: Values): Code {
  const { model, row } = walk;
  const hidden = model.fields.filter(
    ({ read }) => read && judge(read, { ...walk, operation: 'read', row }) !== true,
  );
  const isShown = (name: string) => !hidden.some((field) => field.name === name);
  const shown = Object.entries(values).filter(([name]) => isShown(name));
  const id = Object.hasOwn(values, 'id') ? [] : ['id'];
  return objectOf([...id, ...shown.map(([name, value]) => entry(name, tsValue(value)))]);
}

const printed = (values: Values, keys: readonly string[] = []) =>
  objectOf([
    ...Object.entries(values).map(([name, value]) => entry(name, tsValue(value))),
    ...keys,
  ]);

/** `creates, reads and lists` */
const listed = (words: readonly string[]) =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' and ');
