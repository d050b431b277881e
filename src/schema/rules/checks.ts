import { inTicks } from '../../words.ts';
import { accessEntries, ruleEntries } from '../access-words.ts';
import { parseCheck, orderSides, type CheckParts } from '../check.ts';
import { comparedIn, surelyAdmitsAll } from '../covers.ts';
import type { FieldSchema } from '../keys/field.ts';
import type { ModelSchema } from '../keys/model.ts';
import type { Located } from '../language.ts';
import { isServed } from '../reach.ts';
import { findFlaw, type Flaw } from '../scope.ts';
import { suggest } from '../suggest.ts';
import { findByName, modelRule, type Facts, findType, type ModelFacts } from '../facts.ts';

interface PlacedCheck extends CheckParts {
  readonly at: Located<string>['at'];
}

/** Checks compare two comparable fields, and some row can satisfy all of them. */
export const checksCanHold = modelRule((model, report, facts) => {
  const held: PlacedCheck[] = [];
  for (const { value, at } of model.schema.checks) {
    const check = parseCheck(value);
    const flaw = check === undefined ? notACheck(value) : checkFlaw(check, model, facts);
    const wrong = flaw ?? (check && contradiction(check, held));
    if (wrong !== undefined) report({ ...wrong, code: 'SCF223', at });
    else if (check !== undefined) held.push({ ...check, at });
  }
});

function notACheck(text: string): Flaw {
  const isBound = /[<>]=?\s*-?[\d"']/.test(text);
  const help = isBound
    ? 'to limit one field, give its type a range, as in `int(0..)`'
    : 'write two fields, and one of `<`, `<=`, `>`, `>=` between them: `ends_on >= starts_on`';
  return { message: `\`${text}\` is not a check`, help };
}

function checkFlaw(check: CheckParts, model: ModelFacts, facts: Facts): Flaw | undefined {
  const { fields } = model.schema;
  const [left, right] = [check.left, check.right].map((name) => findByName(name, fields));
  if (left === undefined || right === undefined) {
    const name = left === undefined ? check.left : check.right;
    const valid = fields.map((field) => field.name.value);
    return { message: `${model.name} declares no field \`${name}\``, help: suggest(name, valid) };
  }
  if (left === right)
    return { message: 'a field is compared with itself', help: 'compare two fields' };
  const flaws = [left, right].map((field) => sideFlaw(field, model, facts));
  return flaws.find((flaw) => flaw !== undefined) ?? pairFlaw(left, right, check);
}

function sideFlaw(field: FieldSchema, { name }: ModelFacts, facts: Facts): Flaw | undefined {
  const path = `${name}.${field.name.value}`;
  const type = findType(field.type.value, facts);
  return findFlaw([
    [
      type !== undefined && type.measured === undefined,
      `${path} is \`${field.type.value}\`, which checks cannot compare`,
      'compare numbers, dates or times',
    ],
    [field.hidden === true, `${path} is hidden, and an error would reveal it`, 'leave it out'],
    [
      field.readonly === true && field.default?.value === 'now',
      `${path} is set to the current time, so a client could not satisfy the check`,
      'leave `readonly` or the default out',
    ],
  ]);
}

function pairFlaw(left: FieldSchema, right: FieldSchema, check: CheckParts): Flaw | undefined {
  const isAlike = left.type.value === right.type.value && left.scale === right.scale;
  if (!isAlike) {
    const names = inTicks([left.name.value, right.name.value]).join(' and ');
    return { message: `${names} have different types`, help: 'give both the same type' };
  }
  const { low, isStrict } = orderSides(check);
  const [least, most] = low === check.left ? [left, right] : [right, left];
  const [from, to] = [least.default?.value, most.default?.value].map(comparable);
  if (from === undefined || to === undefined || from < to || (from === to && !isStrict))
    return undefined;
  return {
    message: 'the defaults of the two fields break this rule',
    help: 'give one of them another default',
  };
}

/** A default that can be compared: a number, or a text that sorts like the date or time in it. */
function comparable(value: unknown): number | string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  if (value === 'now') return undefined;
  const number = Number(value);
  return Number.isNaN(number) ? String(value) : number;
}

/** Two checks of the same fields, or several that form a circle. */
function contradiction(check: CheckParts, held: readonly PlacedCheck[]): Flaw | undefined {
  const names = [check.left, check.right];
  if (held.some(({ left, right }) => names.includes(left) && names.includes(right))) {
    return { message: `${inTicks(names).join(' and ')} are compared twice`, help: 'keep one' };
  }
  const { low, high } = orderSides(check);
  if (!isBelow(high, low, held)) return undefined;
  return { message: 'no row can satisfy all checks: they form a circle', help: 'leave one out' };
}

function isBelow(low: string, high: string, held: readonly PlacedCheck[]): boolean {
  return held
    .map(orderSides)
    .some((each) => each.low === low && (each.high === high || isBelow(each.high, high, held)));
}

/** With a check, somebody who may write one side could guess the other by trial and error. */
export const checksRevealNothing = modelRule(({ name, schema }, report) => {
  if (!isServed('update', schema)) return;
  for (const { value, at } of schema.checks) {
    const { left, right } = parseCheck(value) ?? {};
    const [one, other] = [left, right].map((side) => findByName(side, schema.fields));
    if (one === undefined || other === undefined) continue;
    for (const [written, revealed] of [
      [one, other],
      [other, one],
    ] as const) {
      if (isReadByWriters(written, revealed, schema)) continue;
      const [mine, theirs] = [written.name.value, revealed.name.value];
      const message = `\`${value}\` reveals ${name}.${theirs}: some who may write \`${mine}\` may not read it`;
      const help = `give \`write\` of \`${mine}\` the same entries as \`read\` of \`${theirs}\`, or remove the check`;
      report({ code: 'SCF223', at, message, help });
    }
  }
});

function isReadByWriters(
  written: FieldSchema,
  revealed: FieldSchema,
  schema: ModelSchema,
): boolean {
  if (revealed.read === undefined || written.readonly === true || written.immutable === true)
    return true;
  const compared = { ...comparedIn(schema, 'read'), other: 'update' } as const;
  const updating = accessEntries(schema, 'update');
  const narrowing = updating.filter(({ only }) => only);
  const writing = written.write && [...ruleEntries(written.write, schema), ...narrowing];
  return surelyAdmitsAll(ruleEntries(revealed.read, schema), writing ?? updating, compared);
}
