import { type App, type Model, getModelCalled } from '../../../model/app.ts';
import { modelOfMembers } from '../members.ts';
import { sourceText, tsKey, tsValue } from '../../typescript.ts';
import { answerTo } from './access-table.ts';
import { counted, countingValues, membership } from './membership.ts';
import { exampleRows } from './example-rows.ts';
import { argument, copyOf, entry, inSteps, printObject } from './printed.ts';
import { statesWhere } from './values-where.ts';
import { judge } from './verdict.ts';

/** Who comes by the link of a row: how a test makes one that counts, and what is answered by it, and by another. */
export function linkView(model: Model, app: App) {
  const counting = model.link && countingValues(model.link.if, model);
  if (!model.link || counting === undefined || !model.endpoints.includes('create'))
    return undefined;
  const { full } = exampleRows(model, app);
  const rules = Object.values(model.access).flat();
  const conditions = rules.flatMap((each) => (each.kind === 'link' ? (each.if ?? []) : []));
  const [held = {}] = statesWhere(conditions, model, app);
  const asked = model.endpoints.filter((endpoint) => endpoint !== 'create');
  const isCounting = (name: string) => model.link?.if?.some(({ path }) => path[0] === name);
  const [all, set] = [{ ...full, ...held }, held].map((row) =>
    Object.entries(row).filter(([name]) => !isCounting(name)),
  );
  const answers = asked.flatMap((operation) => {
    const [own, other] = [true, false].map((isByLink) =>
      answerTo({
        visitor: 'public',
        isByLink,
        operation,
        model,
        app,
        row: Object.fromEntries(all ?? []),
      }),
    );
    return own === undefined || other === undefined ? [] : [[operation, [own, other]]];
  });
  if (answers.length === 0) return undefined;
  const values = (set ?? []).map(([name, value]) => entry(name, tsValue(value)));
  const row = sourceText(printObject([copyOf('full'), ...values, ...counting]));
  return argument({
    path: 'path',
    row: inSteps(
      'async () =>',
      `const { id, ${tsKey(model.link.secret)}: secret } = await api.make.${model.names.variable}(${row});`,
      'return { id, secret };',
    ),
    answers: tsValue(Object.fromEntries(answers)),
  });
}

/** How a test makes two users members of the same, where users are shown to those and to no other user. */
export function sharesView(model: Model, app: App) {
  const shared = model.access.read.find((each) => each.kind === 'shares' && !each.if);
  if (shared?.kind !== 'shares' || !model.endpoints.includes('read')) return undefined;
  const there = getModelCalled(shared.model, app);
  const kind = there.members?.find(({ user }) => user !== undefined);
  const by = kind && modelOfMembers(kind, app);
  const { full: row } = exampleRows(model, app);
  const question = { visitor: 'user', operation: 'read', model, app, row } as const;
  const isOthers = judge(model.access.read, question) === false;
  const only = model.access.read.some(({ only: isOnly }) => isOnly);
  if (!by || !isOthers || only || !counted(kind, app)) return undefined;
  const joins = ['person', 'other'].map((user) => {
    const values = membership(kind, app, { of: 'id', user: `${user}.id` });
    return `await api.make.${by.names.variable}(${values});`;
  });
  return argument({
    path: 'path',
    join: inSteps(
      'async (person, other) =>',
      `const { id } = await api.make.${there.names.variable}();`,
      ...joins,
    ),
  });
}
