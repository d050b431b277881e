import { uuidPattern } from '../../types/uuid.ts';
import type { Json } from '../schema.ts';
import type { Rule } from './facts.ts';

const number = /^[1-9]\d{0,18}$/;

/** The backfill of a relation is an id that a row of its target can have. */
export const backfillsAreIds: Rule = ({ models, byName }, report) => {
  for (const { name: model, schema } of models) {
    for (const { name, to, many, backfill } of schema.relations) {
      const target = byName.get(to.value);
      if (backfill === undefined || many || target === undefined) continue;
      const isUuid = target.schema.id?.value === 'uuid';
      if (isUuid ? uuidPattern.test(textOf(backfill.value)) : isNumber(textOf(backfill.value)))
        continue;
      report({
        code: 'SCF402',
        at: backfill.at,
        message: `the backfill of ${model}.${name.value} does not fit: an id of ${target.name} is ${isUuid ? 'a uuid' : 'a whole number from 1'}`,
        help: 'give the id of a row that every database has; or make the relation optional, fill it in, and require it then',
      });
    }
  }
};

function textOf(value: Json): string {
  return typeof value === 'string' ? value : '';
}

function isNumber(text: string): boolean {
  return number.test(text) && BigInt(text) < 2n ** 63n;
}
