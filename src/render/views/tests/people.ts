import { type App, type Model, modelOf } from '../../../model/app.ts';
import { code, tsKey, tsObject } from '../../typescript.ts';
import { answerTo } from './access-table.ts';
import { countingValues, membership } from './agreeing.ts';
import { exampleRows } from './example-rows.ts';
import { judge } from './verdict.ts';

/** Who comes by the link of a row: how a test makes one that counts, and what is answered by it, and by another. */
export function linkView(model: Model, app: App) {
  const counting = model.link && countingValues(model.link.if, model);
  if (!model.link || counting === undefined || !model.endpoints.includes('create'))
    return undefined;
  const { full } = exampleRows(model, app);
  const asked = model.endpoints.filter((endpoint) => endpoint !== 'create');
  const known = Object.fromEntries(
    Object.entries(full).filter(([name]) => !model.link?.if?.some(({ path }) => path[0] === name)),
  );
  const answers = asked.flatMap((operation) => {
    const [own, other] = [true, false].map((isByLink) =>
      answerTo({ visitor: 'public', isByLink, operation, model, app, row: known }),
    );
    return own === undefined || other === undefined ? [] : [[operation, `[${own}, ${other}]`]];
  });
  if (answers.length === 0) return undefined;
  return {
    secret: code(tsKey(model.link.secret)),
    values: code(counting.length === 0 ? 'full' : `{ ...full, ${counting.join(', ')} }`),
    answers: code(tsObject(Object.fromEntries(answers))),
  };
}

/** How a test makes two users members of the same, where users are shown to those and to no other user. */
export function sharesView(model: Model, app: App) {
  const shared = model.access.read.find((entry) => entry.kind === 'shares' && !entry.if);
  if (shared?.kind !== 'shares' || !model.endpoints.includes('read')) return undefined;
  const there = modelOf(shared.model, app);
  const kind = there?.members?.find(({ user }) => user !== undefined);
  const by = kind && modelOf(kind.by, app);
  const { full: row } = exampleRows(model, app);
  const question = { visitor: 'user', operation: 'read', model, app, row } as const;
  const isOthers = judge(model.access.read, question) === false;
  const only = model.access.read.some((entry) => entry.only);
  const counts = by && countingValues(kind.if, by) !== undefined;
  if (!there || !by || !isOthers || only || counts !== true) return undefined;
  const joined = (user: string) =>
    code(membership(kind, app, { of: 'id', user: `${user}.id`, role: kind.roles[0] }));
  return {
    variable: there.names.variable,
    by: by.names.variable,
    person: joined('person'),
    other: joined('other'),
  };
}
