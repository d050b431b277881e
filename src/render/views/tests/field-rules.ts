import { present } from '../../../present.ts';
import type { App, Model } from '../../../model/app.ts';
import { findField } from '../../../model/lookups.ts';
import type { EndpointName } from '../../../schema/language.ts';
import { tsValue } from '../../typescript.ts';
import { fieldsWithRules } from '../field-type.ts';
import { sharedRestrictions } from '../policy.ts';
import { printRowMaker } from './request-bodies.ts';
import { type Expectation, answerFor, listTestedVisitors } from './access-table.ts';
import { judge, judgeAnyRow } from './verdict.ts';
import type { AccessQuestion } from './access-question.ts';
import type { ExampleRows } from './example-rows.ts';
import { isUpdatable } from '../../../model/writing.ts';
import { printArgument, spread, printEntry, printObject } from './print.ts';
import type { Entry } from '../../../schema/entry.ts';
import type { Json } from '../../../types/field-type.ts';

/** Who may read which fields, filter by them, and write them: `{ cost: { public: 'hidden', … } }`. */
export function fieldRulesView(model: Model, rows: ExampleRows, app: App) {
  const ruled = fieldsWithRules(model);
  const seen = ruled.flatMap(({ name, read }) =>
    read === undefined ? [] : [{ name, rule: read }],
  );
  const written = ruled.flatMap(({ name, write }) =>
    write !== undefined && isChanged(name, model, rows) ? [{ name, rule: write }] : [],
  );
  const emptied = written.filter(({ name }) => !Object.hasOwn(rows.full, name));
  const printAnswerTable = (
    operation: EndpointName,
    fields: readonly Ruled[],
    answerOf: AnswerOf,
  ) => answerTable(fields, answerOf, { operation, model, app, row: rows.full });
  const answers = present({
    shown: printAnswerTable('read', seen, ({ rule }, asked) =>
      answerFor(judge(rule, asked), 'shown', 'hidden'),
    ),
    filtered: printAnswerTable('list', comparedBy(seen, model), ({ rule }, asked) =>
      isOpen(rule, asked) ? 200 : 422,
    ),
    written: printAnswerTable('update', written, ({ name, rule }, asked) =>
      isKeptField(name, asked) ? answerFor(judge(rule, asked), 200, 422) : undefined,
    ),
  });
  if (Object.keys(answers).length === 0) return false;
  const values = printObject([
    spread('full'),
    ...emptied.map(({ name }) => printEntry(name, 'null')),
  ]);
  return printArgument({
    path: 'path',
    row: printRowMaker(model, { isTied: false }),
    values,
    answers: tsValue(answers),
  });
}

/** A field, or a path in filters, with its rule. */
interface Ruled {
  readonly name: string;
  readonly rule: readonly Entry[];
}

type AnswerOf = (ruled: Ruled, question: AccessQuestion) => Expectation | undefined;

/** The response for each visitor and field; undefined if there is nothing to test. */
function answerTable(
  fields: readonly Ruled[],
  answerOf: AnswerOf,
  asked: Pick<AccessQuestion, 'model' | 'app' | 'row'> & { readonly operation: EndpointName },
): Json | undefined {
  const visitors = listTestedVisitors(asked.operation, asked.model, asked.app);
  if (fields.length === 0 || visitors.length === 0) return undefined;
  const lines = fields.map((field) => {
    const answers = visitors.map((visitor) => [visitor, answerOf(field, { ...asked, visitor })]);
    return [field.name, present(Object.fromEntries(answers))];
  });
  return Object.fromEntries(lines);
}

/** Whoever may not read a key may not filter over it either. */
function comparedBy(seen: readonly Ruled[], model: Model): readonly Ruled[] {
  return seen.flatMap(({ name, rule }) => {
    const field = findField(model, name);
    const paths = field?.relation === undefined ? [name] : [name, `${field.relation}.id`];
    return field === undefined ? [] : paths.map((path) => ({ name: path, rule }));
  });
}

/** Whether the rules of the row still hold after the field is written. */
function isKeptField(name: string, question: AccessQuestion): boolean {
  const { model, row = {} } = question;
  const result = { ...row, [name]: row[name] ?? null };
  return judge(model.access.update, { ...question, result }) === true;
}

/** Whether a visitor reads a field in all rows, as filters require. */
const isOpen = (rule: readonly Entry[], question: AccessQuestion) =>
  judgeAnyRow([...rule, ...sharedRestrictions(question.model).all], question) === true;

/** Whether the tests can write a field again. An optional key can be removed. */
function isChanged(name: string, model: Model, { full }: ExampleRows): boolean {
  const field = findField(model, name);
  if (field === undefined || !isUpdatable(field)) return false;
  return Object.hasOwn(full, name) || (field.nullable && field.role === 'key');
}
