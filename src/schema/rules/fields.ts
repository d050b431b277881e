import { defaults } from '../language.ts';
import { capitalized } from '../../naming/name.ts';
import { foreignTypes, scalarNames } from '../../types/all.ts';
import { mostDigits } from '../../types/decimal.ts';
import { findForeignType, linkHelp } from '../foreign-words.ts';
import { findNearest, listNames, suggest } from '../suggest.ts';
import { findType, type Facts, fieldRule, modelRule } from '../facts.ts';

export const typesAreKnown = modelRule(({ name: model, schema }, report, facts) => {
  const valid = [...scalarNames, ...facts.enums.keys()];
  for (const { name, type, optional } of schema.fields) {
    if (type.value === '' || findType(type.value, facts) !== undefined) continue;
    const isList = type.value.endsWith('[]');
    const word = isList ? type.value.slice(0, -2) : type.value;
    const target = [word, capitalized(word)].find((it) => facts.byName.has(it));
    const mark = isList ? '[]' : optional ? '?' : '';
    report({
      code: 'SCF201',
      at: type.at,
      message: `${model}.${name.value} has unknown type \`${type.value}\``,
      help: target
        ? linkHelp(`${name.value}: ${target}${mark}`)
        : (findForeignType(type.value) ?? helpFor(type.value, valid)),
    });
  }
});

function helpFor(written: string, valid: readonly string[]): string {
  const known = [...valid, ...foreignTypes.keys()];
  // Django's `CharField` is `char`.
  const meant = findNearest(written.replace(/field$/i, ''), known) ?? findNearest(written, known);
  return meant === undefined
    ? suggest(written, valid)
    : `did you mean \`${foreignTypes.get(meant) ?? meant}\`? one of: ${listNames(valid)}`;
}

export const decimalsSayTheirDigits = fieldRule(({ field, path }, report, facts) => {
  const { type, precision, scale } = field;
  if (type.value !== 'decimal') return;
  if (precision === undefined || scale === undefined) return;
  const most = mostDigits[facts.schema.database?.value ?? defaults.database];
  if (precision < 1 || precision > most) {
    const elsewhere = `${mostDigits.postgres} on PostgreSQL (\`database: postgres\`)`;
    const message = `${path}: a decimal has 1 to ${most} digits, not ${precision}`;
    const help = `SQLite keeps ${mostDigits.sqlite} digits exactly, ${elsewhere}; keep longer ones in a \`string\``;
    report({ code: 'SCF212', at: type.at, message, help });
  } else if (scale > precision) {
    const message = `${path}: ${precision} digits in all cannot include ${scale} decimal places`;
    const help = `write the total number of digits first: \`decimal(${Math.min(most, scale)},${Math.min(precision, scale)})\``;
    report({ code: 'SCF212', at: type.at, message, help });
  }
});

/** Refuses options that the type does not have. */
export const optionsFitTheirType = fieldRule(({ field, type, path }, report, facts) => {
  const { type: name, min, max, pattern, keysAt = {} } = field;
  const positionOf = (key: 'unique' | 'index') => field[key] && (keysAt[key] ?? field.name.at);
  const few = uniqueHelp(name.value, facts);
  const options = [
    { option: 'a range', fits: type.range, at: (min ?? max)?.at, help: helpByKey.range },
    { option: '`pattern`', fits: type.pattern, at: pattern?.at, help: helpByKey.pattern },
    { option: '`unique`', fits: type.unique, at: positionOf('unique'), help: few },
    { option: '`index`', fits: type.ordered, at: positionOf('index'), help: helpByKey.index },
  ];
  for (const { option, fits, at, help } of options) {
    const message = `${path}: ${option} does not fit the type \`${name.value}\``;
    if (fits === undefined && at) report({ code: 'SCF210', at, message, help });
  }
});

const helpByKey = {
  range: 'ranges are for text and numbers',
  pattern: '`pattern` is for `string` and `text`',
  index: 'index fields that are compared: strings, numbers, times',
};

function uniqueHelp(type: string, { enums }: Facts): string {
  const few = type === 'bool' || enums.has(type);
  return few
    ? 'it has only a few values, so there could be only a few rows'
    : 'keep a hash or a name of it in a `string`';
}

export const optionsAgree = fieldRule(({ field, type, path }, report) => {
  const { name, readonly, immutable, unique, optional, keysAt = {} } = field;
  const isMade = type.made !== undefined && field.default?.value === type.made.word;
  if (readonly !== true) return;
  if (immutable === true) {
    const message = `${path} cannot be both \`readonly\` and \`immutable\``;
    const help =
      '`readonly` is set by the server only, `immutable` by a client on create: keep one';
    report({ code: 'SCF211', at: keysAt.immutable ?? name.at, message, help });
  } else if (!optional && field.default === undefined) {
    const message = `${path} is required and \`readonly\`, so a new row could never have a value`;
    const help = 'give it a default, as in `int = 0 readonly`, or make it optional with `?`';
    report({ code: 'SCF216', at: keysAt.readonly ?? name.at, message, help });
  }
  if (unique === true && field.default !== undefined && !isMade) {
    const message = `${path}: every new row would have the same default, which \`unique\` forbids`;
    const help = 'remove the default and make it optional, or remove `unique`';
    report({ code: 'SCF211', at: keysAt.unique ?? name.at, message, help });
  }
});
