import { accessEntries, ruleEntries } from './access-words.ts';
import { comparedIn, surelyAdmits } from './covers.ts';
import type { Entry } from './entry.ts';
import type { ModelSchema } from './keys/model.ts';
import type { RuleSchema } from './keys/people.ts';
import type { EndpointName, Operation } from './language.ts';

export const isServed = (endpoint: EndpointName, { endpoints }: ModelSchema) =>
  endpoints === undefined || endpoints.some(({ value }) => value === endpoint);

/** Whether all of them may write a field or relation with this rule. */
export const mayWrite = (write: RuleSchema | undefined, schema: ModelSchema, who: Entry) =>
  write === undefined || admits(ruleEntries(write, schema), schema, who);

/** Whether all of them may do it. */
export const isOpenTo = (operation: Operation, schema: ModelSchema, who: Entry) =>
  admits(accessEntries(schema, operation), schema, who);

const admits = (rule: readonly Entry[], schema: ModelSchema, who: Entry) =>
  surelyAdmits(rule, [who], comparedIn(schema, 'update'));
