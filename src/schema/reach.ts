import { present } from '../present.ts';
import { accessEntries, ruleEntries } from './access-words.ts';
import { comparedIn, surelyAdmits } from './covers.ts';
import type { Comparison, Entry } from './entry.ts';
import type { ModelSchema } from './keys/model.ts';
import type { RuleSchema } from './keys/people.ts';
import type { EndpointName, Operation } from './language.ts';

export const isServed = (endpoint: EndpointName, { endpoints }: ModelSchema) =>
  endpoints === undefined || endpoints.some(({ value }) => value === endpoint);

/** Whether everybody whom `who` admits may write a field or relation with this rule. */
export const mayWrite = (write: RuleSchema | undefined, schema: ModelSchema, who: Entry) =>
  write === undefined || admitsUpdate(ruleEntries(write, schema), schema, who);

/** Whether everybody whom `who` admits may do something, at least with the row at the end of a path behind `me`. */
export const isOpenTo = (
  operation: Operation,
  schema: ModelSchema,
  who: Entry,
  row: readonly string[] = [],
) =>
  admitsUpdate(
    accessEntries(schema, operation).map((entry) => withoutRow(entry, row)),
    schema,
    who,
  );

const admitsUpdate = (rule: readonly Entry[], schema: ModelSchema, who: Entry) =>
  surelyAdmits(rule, [who], comparedIn(schema, 'update'));

/** An entry without the comparison `id = me.…`, which holds for that row. */
const withoutRow = (entry: Entry, row: readonly string[]): Entry => ({
  ...entry,
  ...present({ if: entry.if?.filter((each) => !isRow(each, row)) }),
});

function isRow({ path, operator, values }: Comparison, row: readonly string[]): boolean {
  const [value] = values;
  if (path.join() !== 'id' || operator !== '=') return false;
  return value?.kind === 'me' && value.path.join() === row.join();
}
