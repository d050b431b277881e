import type { App, Model, Endpoint, Entry } from '../../../model/app.ts';
import { code, tsObject } from '../../typescript.ts';
import { ruledNames } from '../field-type.ts';
import { sharedOnly } from '../policy.ts';
import { visitorsOf } from './access-table.ts';
import { judge, judgeAnyRow, type Question } from './verdict.ts';
import type { ExampleRows } from './example-rows.ts';

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
    shown: tableOf('read', seen, judge, ["'shown'", "'hidden'"]),
    filtered: tableOf('list', compared, isOpen, ['200', '422']),
    written: tableOf('update', written, judge, ['200', '422']),
  });
  return answers !== '{}' && { answers: code(answers) };

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
            const verdict = judged(rule, { visitor, operation, model, app, row: rows.full });
            return [visitor, verdict === undefined ? undefined : verdict ? yes : no];
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

/** Whether the tests have a value for it that may be sent again. */
function isChanged(name: string, model: Model, { full }: ExampleRows): boolean {
  const field = model.fields.find((each) => each.name === name);
  return field !== undefined && !field.immutable && Object.hasOwn(full, name);
}
