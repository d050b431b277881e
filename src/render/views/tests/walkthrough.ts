import { type App, isUser, type Model } from '../../../model/app.ts';
import { hasAccounts } from '../../../model/app-features.ts';
import { listRoles } from '../../../model/lookups.ts';
import { findDefaultValue, findOwnerKey } from '../../../model/writing.ts';
import { code, tsString } from '../../typescript.ts';
import { answerTo, answerToChange, isTested } from './access-table.ts';
import { makeAgreeingKeys } from './agreeing-keys.ts';
import { exampleRows, isNeeded } from './example-rows.ts';
import type { Values } from './example-values.ts';
import { printEntry, printMaking, printObject, printEntries } from './print.ts';
import type { AccessQuestion } from './access-question.ts';
import { requiredKeyEntries } from './request-bodies.ts';
import { chooseChange } from './update.ts';
import { judge } from './verdict.ts';

const walkthroughSteps = [
  ['create', 'creates'],
  ['read', 'reads'],
  ['update', 'changes'],
  ['list', 'lists'],
] as const;

type WalkthroughStep = (typeof walkthroughSteps)[number][0];

/** The visitor of a walkthrough, what is sent, and the row before and after the change. */
interface Walk extends Pick<AccessQuestion, 'visitor' | 'model' | 'app'> {
  readonly body: Values;
  readonly change: Values;
  readonly row: Values;
  readonly result: Values;
}

/** The first test of a file: a visitor creates a row, reads it, changes it and lists it. */
export function walkthroughView(model: Model, app: App) {
  const { full, secrets } = exampleRows(model, app);
  const body = shortenRow(full, model);
  const change = chooseChange(model, app);
  const isChanged = Object.keys(change).length > 0;
  const row = { ...emptyRow(model), ...secrets, ...body };
  const asked = walkthroughSteps.filter(
    ([step]) => isTested(step, model) && (step !== 'update' || isChanged),
  );
  const result = { ...row, ...change };
  const walkOf = (visitor: string): Walk => ({ visitor, model, app, body, change, row, result });
  const visitors = listWalkers(model, app);
  const first = visitors.find((it) => asked.every(([step]) => may(step, walkOf(it))));
  const walk = walkOf(first ?? visitors.at(-1) ?? 'public');
  const taken = asked.filter(([step]) => may(step, walk));
  if (taken.length === 0) return undefined;
  const blocks = printBlocks(walk, new Set(taken.map(([step]) => step)));
  return {
    name: code(tsString(`${joinSteps(taken.map(([, verb]) => verb))} ${model.names.humanPlural}`)),
    steps: code(blocks.map((lines) => lines.join('\n  ')).join('\n\n  ')),
  };
}

/** Signs in and creates a row, or has it created, then a block for each step. */
function printBlocks(
  walk: Walk,
  taken: ReadonlySet<WalkthroughStep>,
): readonly (readonly string[])[] {
  const { visitor, model, app, body, change } = walk;
  const client = visitor === 'public' ? 'api.nobody' : 'ann';
  const role = visitor === 'owner' || visitor === 'user' ? '' : tsString(visitor);
  const signIn = visitor === 'public' ? [] : [`const ann = await api.signIn(${role});`];
  const owner = visitor === 'owner' ? [printEntry(findOwnerKey(model) ?? '', 'ann.user.id')] : [];
  const made = printMaking(model, printObject([...printEntries(body), ...owner]));
  const secrets = printEntries(exampleRows(model, app).secrets);
  const sent = printObject([...printEntries(body), ...secrets, ...requiredKeyEntries(model, app)]);
  const created = [
    ...makeAgreeingKeys(model, app).steps,
    `const created = await ${client}.post(path, ${sent});`,
    'expect(created.statusCode).toBe(201);',
    ...(taken.size > 1 ? ['const { id } = created.json();'] : []),
  ];
  const found = shownTo(walk, taken.has('update') ? change : body);
  const patched = `patch(\`\${path}\${id}\`, ${printObject(printEntries(change))})`;
  const others = [
    ['read', 'read', 'get(`${path}${id}`)', shownTo(walk, body)],
    ['update', 'changed', patched, shownTo(walk, change)],
    ['list', 'list', 'get(`${path}?id=${id}`)', `{ total: 1, items: [${found}] }`],
  ] as const;
  return [
    [...signIn, ...(taken.has('create') ? created : [`const { id } = ${made};`])],
    ...others
      .filter(([step]) => taken.has(step))
      .map(([, name, call, answer]) => [
        `const ${name} = await ${client}.${call};`,
        `expect(${name}.json()).toMatchObject(${answer});`,
      ]),
  ];
}

/** The required values, or all values if nothing is required. */
function shortenRow(full: Values, model: Model): Values {
  const needed = model.fields.filter((field) => isNeeded(field, model)).map(({ name }) => name);
  const brief = Object.entries(full).filter(([name]) => needed.includes(name));
  return brief.length === 0 ? full : Object.fromEntries(brief);
}

/** The values of a row for which nothing was sent. */
function emptyRow({ fields }: Model): Values {
  const own = fields.filter(({ role }) => role === 'declared' || role === 'base');
  return Object.fromEntries(own.map((field) => [field.name, findDefaultValue(field) ?? null]));
}

/** Visitors with the fewest rights first. */
function listWalkers(model: Model, app: App): readonly string[] {
  if (!hasAccounts(app)) return ['public'];
  const isOwned = model.owner !== undefined && !isUser(model);
  const others = listRoles(app).filter((role) => role !== 'user' && role !== 'admin');
  return [isOwned ? 'owner' : 'user', ...others, 'admin'];
}

function may(step: WalkthroughStep, { row, result, change, ...walk }: Walk): boolean {
  const answer = (operation: WalkthroughStep, held: Values) =>
    answerTo({ ...walk, operation, row: held });
  const isRead = answer('read', row) === 200;
  if (step === 'read') return isRead;
  if (step === 'create') return isRead && answer('create', row) === 201;
  if (step === 'list') return [row, result].every((held) => answer('list', held) === 'shown');
  return answerToChange({ ...walk, operation: 'update', row }, change) === 200;
}

/** The values that a response shows to the visitor. */
function shownTo(walk: Walk, values: Values): string {
  const { model, row } = walk;
  const hidden = model.fields.filter(
    ({ read }) => read && judge(read, { ...walk, operation: 'read', row }) !== true,
  );
  const isShown = (name: string) => !hidden.some((field) => field.name === name);
  const shown = Object.entries(values).filter(([name]) => isShown(name));
  const id = Object.hasOwn(values, 'id') ? [] : ['id'];
  return printObject([...id, ...printEntries(Object.fromEntries(shown))]);
}

/** `creates, reads and lists` */
const joinSteps = (words: readonly string[]) =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' and ');
