import { type App, type Endpoint, type Entry, findField, type Model } from '../../../model/app.ts';
import { tsObject } from '../../typescript.ts';
import { ownerKey, ruledNames } from '../field-type.ts';
import { sharedOnly } from '../policy.ts';
import { rowOf } from './sent.ts';
import { visitorsOf } from './access-table.ts';
import { judge, judgeAnyRow } from './verdict.ts';
import type { Question } from './question.ts';
import type { ExampleRows } from './example-rows.ts';
import { sentKeys } from '../../../model/writing.ts';
import { entry, objectOf, argument } from './printed.ts';

/** Who is shown which fields, may filter by them, and may write them: `{ cost: { public: 'hidden', … } }`. */
export function fieldRulesView(model: Model, rows: ExampleRows, app: App) {
  const ruled = ruledNames(model);
  const seen = ruled.flatMap(({ name, read }) =>
    read === undefined ? [] : [{ name, rule: read }],
  );
  // Whoever may not see a key may not look where it leads either.
  const compared = seen.flatMap(({ name, rule }) => {
    const field = findField(model, name);
    const paths = field?.relation === undefined ? [name] : [name, `${field.relation}.id`];
    return field === undefined ? [] : paths.map((path) => ({ name: path, rule }));
  });
  const written = ruled.flatMap(({ name, write }) =>
    write !== undefined && isChanged(name, model, rows) ? [{ name, rule: write }] : [],
  );
  const emptied = written.filter(({ name }) => !Object.hasOwn(rows.full, name));
  const answers = tsObject({
    shown: tableOf('read', seen, judge, ["'shown'", "'hidden'"]),
    filtered: tableOf('list', compared, isOpen, ['200', '422']),
    written: tableOf('update', written, judge, ['200', '422']),
  });
  const values = objectOf(['...full', ...emptied.map(({ name }) => entry(name, 'null'))]);
  return answers !== '{}' && argument({ path: 'path', row: rowOf(model), values, answers });

  function tableOf(
    operation: Endpoint,
    fields: readonly { readonly name: string; readonly rule: readonly Entry[] }[],
    judged: typeof judge,
    [yes, no]: readonly [string, string],
  ): string | undefined {
    const visitors = visitorsOf(operation, model, app);
    if (fields.length === 0 || visitors.length === 0) return undefined;
    const lines = fields.map(({ name, rule }) => [
      name,
      tsObject(
        Object.fromEntries(
          visitors.map((visitor) => {
            const question = { visitor, operation, model, app, row: rows.full };
            const verdict = judged(rule, question);
            // What is written may break a rule of the row.
            const result = { ...rows.full, [name]: rows.full[name] ?? null };
            const isKept =
              operation !== 'update' ||
              judge(model.access.update, { ...question, result }) === true;
            const answer = verdict === undefined ? undefined : verdict ? yes : no;
            return [visitor, isKept ? answer : undefined];
          }),
        ),
      ),
    ]);
    return tsObject(Object.fromEntries(lines));
  }
}

/** What rows are compared by has to be seen in all of them, as far as the field's rule and that of every operation say. */
const isOpen = (rule: readonly Entry[], question: Question) =>
  judgeAnyRow([...rule, ...sharedOnly(question.model).all], question) === true;

/** Whether the tests have a value for it that may be sent again; a key that may lead nowhere can be taken away. */
function isChanged(name: string, model: Model, { full }: ExampleRows): boolean {
  const field = findField(model, name);
  if (field === undefined || field.immutable) return false;
  const isKey = sentKeys(model).includes(field) && name !== ownerKey(model);
  return Object.hasOwn(full, name) || (field.nullable && isKey);
}
