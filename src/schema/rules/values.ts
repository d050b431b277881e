import { capitalized } from '../../naming/name.ts';
import { findLengthFlaw, findPatternFlaw } from '../../patterns/flaw.ts';
import { isScalar, foreignTypes, scalarNames } from '../../types/all.ts';
import type { Misfit, TypedField, TypeFacts } from '../../types/field-type.ts';
import { wrongType } from '../../types/misfit.ts';
import { mostDigits } from '../../types/decimal.ts';
import { exactly, isLess } from '../../types/numbers.ts';
import type { Json } from '../../types/field-type.ts';
import type { FieldSchema } from '../keys/field.ts';
import type { Located } from '../language.ts';
import { suggest, listed } from '../suggest.ts';
import { type Rule, factsOfType, type Facts } from './facts.ts';

/** Values that stand in the file for those of rows, and the codes of what is wrong with them. */
const places = [
  { key: 'default', codes: { type: 'SCF206', value: 'SCF207' } },
  { key: 'backfill', codes: { type: 'SCF402', value: 'SCF402' } },
  { key: 'example', codes: { type: 'SCF215', value: 'SCF215' } },
] as const;

/** Defaults, backfills and examples are values that a client could have sent. */
export const valuesFitTheirField: Rule = (facts, report) => {
  forEachField(facts, (field, type, path) => {
    const { min, max } = field;
    if (min && max && isLess(max.value, min.value)) return;
    for (const { key, codes } of places) {
      const written: Located<Json> | undefined = field[key];
      if (written === undefined || (key !== 'example' && written.value === type.made?.word))
        continue;
      const misfit = misfitOf(written.value, field, type, facts.enums.get(field.type.value));
      if (misfit === undefined) continue;
      report({
        code: codes[misfit.kind],
        at: written.at,
        message: `the ${key} of ${path} does not fit: ${misfit.reason}`,
        help:
          misfit.help ??
          wordHelp(field, key === 'example' ? undefined : type.made?.word) ??
          `write a value that the field accepts, or leave the ${key} out`,
      });
    }
  });
};

function wordHelp({ type }: FieldSchema, word: string | undefined): string | undefined {
  if (word === undefined) return undefined;
  return `or write \`${word}\`, for a ${type.value} made when the row is written`;
}

/** Undefined when the value fits, or when the field is too broken to judge. */
function misfitOf(
  value: Json,
  field: FieldSchema,
  type: TypeFacts,
  values: readonly string[] | undefined,
): Misfit | undefined {
  if (value === null) {
    const help = 'leave it out: an optional field is null by default';
    return { kind: 'type', reason: 'null is not a value', help };
  }
  const typed = typedField(field);
  if (values === undefined) return typed && type.misfit(value, typed);
  const name = field.type.value;
  if (typeof value !== 'string') return wrongType(value, `a value of ${name}, as a string`);
  if (values.includes(value)) return undefined;
  const reason = `\`${value}\` is not a value of ${name}`;
  return { kind: 'value', reason, help: suggest(value, values) };
}

/** PostgreSQL's bound on the length of a varchar; no request is as long. */
const longestText = 10_485_760;

export const rangesFitTheirType: Rule = (facts, report) => {
  forEachField(facts, (field, type, path) => {
    const { min, max } = field;
    for (const bound of [min, max]) {
      const flaw = bound === undefined ? undefined : flawOf(bound, field, type);
      if (bound !== undefined && flaw !== undefined) {
        const help = `write a bound that ${field.type.value} can have, or leave it out: \`0..\``;
        report({ code: 'SCF205', at: bound.at, message: `${path}: ${flaw}`, help });
      }
    }
    if (min && max && isLess(max.value, min.value)) {
      const message = `${path}: nothing is at least ${min.value} and at most ${max.value}`;
      const help = `did you mean \`${max.value}..${min.value}\`?`;
      report({ code: 'SCF205', at: max.at, message, help });
    }
  });
};

function flawOf(
  { value }: Located<string>,
  field: FieldSchema,
  type: TypeFacts,
): string | undefined {
  const exact = exactly(value);
  if (exact === undefined) return `\`${value}\` has too many digits`;
  if (type.range === 'characters' || type.range === 'bytes') {
    const isLength = exact.scale === 0 && exact.digits >= 0n && exact.digits <= longestText;
    return isLength
      ? flawOfLength(value, field, type)
      : `\`${value}\` is not a length from 0 to ${longestText}`;
  }
  const typed = typedField(field);
  if (typed === undefined) return undefined;
  const holds = type.limits?.(typed.type);
  if (holds === undefined)
    return Number.isFinite(Number(value)) ? undefined : `\`${value}\` is beyond a float`;
  if (exact.scale > holds.scale) {
    return holds.scale === 0
      ? `\`${value}\` is not a whole number`
      : `\`${value}\` has more than ${holds.scale} digits after the point`;
  }
  if (isLess(value, holds.min) || isLess(holds.max, value))
    return `\`${value}\` lies outside ${holds.min} to ${holds.max}`;
  return undefined;
}

/** No address has three characters, and none has a thousand. */
function flawOfLength(
  value: string,
  { type, min, max }: FieldSchema,
  { lengths }: TypeFacts,
): string | undefined {
  if (lengths === undefined) return undefined;
  if (max?.value === value && Number(value) < lengths.least) {
    return `\`${value}\` characters are too few: ${type.value} needs room for ${lengths.least}`;
  }
  if (min?.value === value && Number(value) > lengths.most) {
    return `\`${value}\` characters are too many: ${type.value} ends at ${lengths.most}`;
  }
  return undefined;
}

export const patternsAreSafe: Rule = (facts, report) => {
  forEachField(facts, ({ pattern, min, max }, type, path) => {
    if (pattern === undefined || type.pattern === undefined) return;
    const { at, value } = pattern;
    const flaw = findPatternFlaw(value);
    if (flaw !== undefined) {
      const { code, reason, help } = flaw;
      report({ code, at, message: `the pattern of ${path} ${reason}`, help });
      return;
    }
    const misfit = findLengthFlaw(value, Number(min?.value ?? 0), Number(max?.value ?? Infinity));
    if (misfit === undefined) return;
    report({
      code: 'SCF205',
      at,
      message: `the pattern of ${path} ${misfit}`,
      help: 'no text could be both: change the pattern or the range',
    });
  });
};

/** As the types look at a field; undefined for a decimal that does not say its digits: that is a problem already. */
function typedField(field: FieldSchema): TypedField | undefined {
  const { type, precision, scale, min, max, pattern } = field;
  const limits = {
    ...(min && { min: min.value }),
    ...(max && { max: max.value }),
    ...(pattern && { pattern: pattern.value }),
  };
  if (!isScalar(type.value)) return { type: { kind: 'enum', enum: type.value }, ...limits };
  if (type.value !== 'decimal') return { type: { kind: type.value }, ...limits };
  if (precision === undefined || scale === undefined) return undefined;
  return { type: { kind: 'decimal', precision, scale }, ...limits };
}

/** Calls `check` with every field whose type is known, so that one slip is one problem. */
function forEachField(
  facts: Facts,
  check: (field: FieldSchema, type: TypeFacts, path: string) => void,
): void {
  for (const { name, schema } of facts.models) {
    for (const field of schema.fields) {
      const type = factsOfType(field.type.value, facts);
      if (type !== undefined) check(field, type, `${name}.${field.name.value}`);
    }
  }
}

export const typesAreKnown: Rule = (facts, report) => {
  const { models, enums, byName } = facts;
  const valid = [...scalarNames, ...enums.keys()];
  for (const { name: model, schema } of models) {
    for (const { name, type, optional } of schema.fields) {
      if (type.value === '' || factsOfType(type.value, facts) !== undefined) continue;
      const isList = type.value.endsWith('[]');
      const word = isList ? type.value.slice(0, -2) : type.value;
      const target = [word, capitalized(word)].find((it) => byName.has(it));
      const mark = isList ? '[]' : optional ? '?' : '';
      report({
        code: 'SCF201',
        at: type.at,
        message: `${model}.${name.value} has unknown type \`${type.value}\``,
        help: target
          ? `a link to another model goes under \`relations:\`: \`${name.value}: ${target}${mark}\``
          : helpFor(type.value, valid),
      });
    }
  }
};

function helpFor(written: string, valid: readonly string[]): string {
  const word = written.toLowerCase();
  if (word.endsWith('[]') && !foreignTypes.has(word)) {
    return 'lists are `string[]` or `int[]`; any other can be a `json` field';
  }
  if (word === 'enum' || word === 'choice') {
    return 'list the values under `enums:`, and write the name of the list as the type';
  }
  if (
    /^(relation|reference|ref|foreignkey|onetoone|manytoone|manytomany|belongsto|hasone)(field)?$/.test(
      word,
    )
  ) {
    return 'a link to another model goes under `relations:`: `author: User`';
  }
  if (/^(hasmany|onetomany)$/.test(word)) {
    return 'write the relation in the other model, under `relations:`; `inverse:` names this side';
  }
  if (/^(image|file|photo|picture|attachment|upload)(field)?$/.test(word)) {
    return 'keep the file elsewhere and its address in a `url`; `bytes` holds small ones';
  }
  // Django's `CharField` is `char`.
  const plain = word.replace(/field$/, '');
  const meant = foreignTypes.get(plain) ?? scalarNames.find((name) => name === plain);
  if (meant === undefined) return suggest(written, valid);
  return `did you mean \`${meant}\`? one of: ${listed(valid)}`;
}

export const decimalsSayTheirDigits: Rule = (facts, report) => {
  forEachField(facts, (field, _type, path) => {
    const { type, precision, scale } = field;
    if (type.value !== 'decimal') return;
    if (precision === undefined || scale === undefined) return;
    const most = mostDigits[facts.schema.database?.value ?? 'sqlite'];
    if (precision < 1 || precision > most) {
      const elsewhere = `${mostDigits.postgres} on PostgreSQL (\`database: postgres\`)`;
      report({
        code: 'SCF212',
        at: type.at,
        message: `${path}: a decimal has 1 to ${most} digits, not ${precision}`,
        help: `SQLite keeps ${mostDigits.sqlite} digits exactly, ${elsewhere}; keep longer ones in a \`string\``,
      });
    } else if (scale > precision) {
      report({
        code: 'SCF212',
        at: type.at,
        message: `${path}: ${scale} digits after the point are more than all ${precision}`,
        help: `all digits come first: \`decimal(${Math.min(most, scale)},${Math.min(precision, scale)})\``,
      });
    }
  });
};

/** Options that a type has no use for would be promises that nobody keeps. */
export const optionsFitTheirType: Rule = (facts, report) => {
  forEachField(facts, (field, type, path) => {
    const { type: name, min, max, pattern, unique, index, keysAt = {} } = field;
    const options = [
      ['a range', type.range, (min ?? max)?.at, 'ranges are for text and numbers'],
      ['`pattern`', type.pattern, pattern?.at, '`pattern` is for `string` and `text`'],
      [
        '`unique`',
        type.unique,
        unique && (keysAt.unique ?? field.name.at),
        uniqueHelp(name.value, facts),
      ],
      [
        '`index`',
        type.ordered,
        index && (keysAt.index ?? field.name.at),
        'index what is compared: strings, numbers, times',
      ],
    ] as const;
    for (const [option, has, at, help] of options) {
      const message = `${path}: ${option} does not fit the type \`${name.value}\``;
      if (has === undefined && at) report({ code: 'SCF210', at, message, help });
    }
  });
};

function uniqueHelp(type: string, { enums }: Facts): string {
  const few = type === 'bool' || enums.has(type);
  return few
    ? 'it has so few values that a handful of rows would use them up'
    : 'keep a hash or a name of it in a `string`';
}

export const optionsAgree: Rule = (facts, report) => {
  forEachField(facts, (field, type, path) => {
    const { name, readonly, immutable, unique, optional, keysAt = {} } = field;
    const isMade = type.made !== undefined && field.default?.value === type.made.word;
    if (readonly !== true) return;
    if (immutable === true) {
      report({
        code: 'SCF211',
        at: keysAt.immutable ?? name.at,
        message: `${path} cannot be both \`readonly\` and \`immutable\``,
        help: '`readonly` is set by the server only, `immutable` by a client on create: keep one',
      });
    } else if (!optional && field.default === undefined) {
      report({
        code: 'SCF216',
        at: keysAt.readonly ?? name.at,
        message: `${path} is required and \`readonly\`, so no new row could have a value`,
        help: 'give it a default, as in `int = 0 readonly`, or make it optional with `?`',
      });
    }
    if (unique === true && field.default !== undefined && !isMade) {
      report({
        code: 'SCF211',
        at: keysAt.unique ?? name.at,
        message: `${path}: every new row would have the same default, which \`unique\` forbids`,
        help: 'remove the default and make it optional, or remove `unique`',
      });
    }
  });
};
