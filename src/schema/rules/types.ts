import { foreignTypes, scalarNames } from '../../types/all.ts';
import type { TypeFacts } from '../../types/field-type.ts';
import type { FieldSchema } from '../schema.ts';
import type { Report } from '../shape.ts';
import { listed, suggest } from '../suggest.ts';
import { factsOfType, type Facts, type Rule } from './facts.ts';

/** Calls `check` with every field whose type is known, so that one slip is one problem. */
export function forEachField(
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
      report({
        code: 'SCF201',
        at: type.at,
        message: `${model}.${name.value} has unknown type \`${type.value}\``,
        help: helpFor(type.value, {
          valid,
          isModel: byName.has(type.value),
          like: `${name.value}: ${type.value}${optional ? '?' : ''}`,
        }),
      });
    }
  }
};

function helpFor(
  written: string,
  context: { readonly valid: readonly string[]; readonly isModel: boolean; readonly like: string },
): string {
  if (context.isModel) {
    return `a link to another model goes under \`relations:\`: \`${context.like}\``;
  }
  const word = written.toLowerCase();
  if (word === 'enum' || word === 'choice') {
    return 'list the values under `enums:`, and write the name of the list as the type';
  }
  if (
    /^(relation|reference|ref|foreignkey|onetoone|manytoone|manytomany|belongsto)(field)?$/.test(
      word,
    )
  ) {
    return 'a link to another model goes under `relations:`: `author: User`';
  }
  // Django's `CharField` is `char`.
  const plain = word.replace(/field$/, '');
  const meant = foreignTypes.get(plain) ?? scalarNames.find((name) => name === plain);
  if (meant === undefined) return suggest(written, context.valid);
  return `did you mean \`${meant}\`? one of: ${listed(context.valid)}`;
}

export const decimalsSayTheirDigits: Rule = (facts, report) => {
  forEachField(facts, (field, _type, path) => {
    const { type, precision, scale } = field;
    if (type.value !== 'decimal') return;
    if (precision === undefined || scale === undefined) return;
    if (precision < 1 || precision > 18) {
      report({
        code: 'SCF212',
        at: type.at,
        message: `${path}: a decimal has 1 to 18 digits, not ${precision}`,
        help: 'SQLite keeps decimals exact up to 18 digits; keep longer ones in a `string`',
      });
    } else if (scale > precision) {
      report({
        code: 'SCF212',
        at: type.at,
        message: `${path}: ${scale} digits after the point are more than all ${precision}`,
        help: `all digits come first: \`decimal(${Math.min(18, scale)},${Math.min(precision, scale)})\``,
      });
    }
  });
};

/** Options that a type has no use for would be promises that nobody keeps. */
export const optionsFitTheirType: Rule = (facts, report) => {
  forEachField(facts, (field, type, path) => {
    const refuse = refusal(field, path, report);
    const bound = field.min ?? field.max;
    if (type.range === undefined && bound !== undefined)
      refuse('a range', bound.at, 'ranges are for texts and numbers');
    if (type.pattern === undefined && field.pattern !== undefined) {
      refuse('`pattern`', field.pattern.at, '`pattern` is for `string` and `text`');
    }
    if (type.unique === undefined && field.unique === true) {
      refuse(
        '`unique`',
        field.keysAt?.unique ?? field.name.at,
        uniqueHelp(field.type.value, facts),
      );
    }
    if (type.ordered === undefined && field.index === true) {
      refuse(
        '`index`',
        field.keysAt?.index ?? field.name.at,
        'index what is compared: texts, numbers, times',
      );
    }
  });
};

function refusal(field: FieldSchema, path: string, report: Report) {
  return (option: string, at: FieldSchema['name']['at'], help: string) =>
    report({
      code: 'SCF210',
      at,
      message: `${path}: ${option} does not fit the type \`${field.type.value}\``,
      help,
    });
}

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
