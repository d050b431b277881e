import type { App, Endpoint, Entry, Model } from '../../../model/app.ts';
import { code, tsObject } from '../../typescript.ts';
import { ownerKey, ruledNames } from '../field-type.ts';
import { admitsAll, admitsRow, answerTo, isAdmitted, isShownLists } from './access-table.ts';
import type { ExampleRows } from './example-rows.ts';
import { clientOf, entry, objectOf, pointersTo } from './printed.ts';

/** Who is shown which fields, may filter by them, and may write them: `{ cost: { public: 'hidden', … } }`. */
export function fieldRulesView(model: Model, rows: ExampleRows, app: App) {
  const ruled = ruledNames(model);
  const seen = ruled.flatMap(({ name, read }) =>
    read === undefined ? [] : [{ name, rule: read }],
  );
  const compared = seen.filter(({ name }) => model.fields.some((field) => field.name === name));
  const written = ruled.flatMap(({ name, write }) =>
    write !== undefined && isChanged(name, model, rows) ? [{ name, rule: write }] : [],
  );
  const answers = tsObject({
    shown: tableOf('read', seen, (visitor, rule) =>
      admitsRow(visitor, rule) ? "'shown'" : "'hidden'",
    ),
    filtered: tableOf('list', compared, (visitor, rule) =>
      admitsAll(visitor, rule) ? '200' : '422',
    ),
    written: tableOf('update', written, (visitor, rule) =>
      admitsRow(visitor, rule) ? '200' : '422',
    ),
  });
  return answers !== '{}' && { answers: code(answers) };

  function tableOf(
    operation: Endpoint,
    fields: readonly { readonly name: string; readonly rule: readonly Entry[] }[],
    answer: (visitor: string, rule: readonly Entry[]) => string,
  ): string | undefined {
    const visitors = visitorsOf(operation, model, app);
    if (fields.length === 0 || visitors.length === 0) return undefined;
    const lines = fields.map(({ name, rule }) => [
      name,
      tsObject(Object.fromEntries(visitors.map((visitor) => [visitor, answer(visitor, rule)]))),
    ]);
    return tsObject(Object.fromEntries(lines));
  }
}

/** Those whom the operation is not refused. */
function visitorsOf(operation: Endpoint, model: Model, app: App): readonly string[] {
  if (!model.endpoints.includes(operation)) return [];
  const isOwned = model.owner !== undefined || model.names.type === 'User';
  const visitors = ['public', ...(isOwned ? ['owner'] : []), ...app.roles];
  return visitors.filter((visitor) => {
    if (operation === 'list') return isShownLists(visitor, model);
    return isAdmitted(visitor, 'read', model) && isAdmitted(visitor, operation, model);
  });
}

/** Whether the tests have a value for it that may be sent again. */
function isChanged(name: string, model: Model, { full }: ExampleRows): boolean {
  const field = model.fields.find((each) => each.name === name);
  return field !== undefined && !field.immutable && Object.hasOwn(full, name);
}

/** How the owner of a new row is named, and by whom it may not be. */
export function assignmentView(model: Model, whole: readonly string[], app: App) {
  const key = ownerKey(model);
  if (model.assign === undefined || key === undefined) return false;
  const { assign } = model;
  const maker = app.roles.find(
    (role) => !assign.includes(role) && answerTo(role, 'create', model, app) === '201',
  );
  return {
    key,
    sent: objectOf([...whole, entry(key, 'user.id')]),
    maker: maker !== undefined && maker !== 'admin' && clientOf(maker),
    refused: pointersTo([key]),
  };
}
