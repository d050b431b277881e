import type { Located } from '../schema.ts';
import type { Report } from '../shape.ts';
import type { Rule } from './facts.ts';

/** PostgreSQL's bound on identifiers, in bytes; names are ASCII, so in characters too. */
export const longestIdentifier = 63;

const typeName = /^[A-Z][A-Za-z0-9_]*$/;
const memberName = /^[A-Za-z][A-Za-z0-9_]*$/;

/** Names become identifiers of SQL and TypeScript, and words of URLs. */
export const namesAreIdentifiers: Rule = ({ schema }, report) => {
  for (const { name } of schema.models) checkType(name, 'model', report);
  for (const { name } of schema.enums) checkType(name, 'enum', report);
  for (const { fields, relations, table, plural, was: former } of schema.models) {
    for (const { name, column, was } of fields) {
      checkMember(name, 'field', report);
      checkIdentifier(column, 'column', report);
      checkIdentifier(was, 'field', report);
    }
    for (const { name, inverse, column, was } of relations) {
      checkMember(name, 'relation', report);
      if (inverse !== undefined) checkMember(inverse, 'relation', report);
      checkIdentifier(column, 'column', report);
      checkIdentifier(was, 'relation', report);
    }
    checkIdentifier(table, 'table', report);
    checkIdentifier(former, 'model', report);
    checkIdentifier(plural, 'plural', report);
  }
};

function checkType(name: Located<string>, kind: string, report: Report): void {
  if (typeName.test(name.value)) return checkLength(name, report);
  const words = name.value.match(/[A-Za-z0-9]+/g) ?? [];
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  report({
    code: 'SCF107',
    at: name.at,
    message: `\`${name.value}\` cannot name ${kind === 'enum' ? 'an enum' : 'a model'}`,
    help: typeName.test(pascal)
      ? `write \`${pascal}\`: a capital letter first, then letters, digits and \`_\``
      : 'a capital letter first, then letters, digits and `_`',
  });
}

function checkMember(name: Located<string>, kind: string, report: Report): void {
  if (!memberName.test(name.value)) return reportIllegal(name, kind, report);
  if (/__|_$/.test(name.value)) {
    report({
      code: 'SCF107',
      at: name.at,
      message: `\`${name.value}\` cannot name a ${kind}`,
      help: 'two underscores part a field from its operator in a filter, as in `views__gte=10`: use single ones, and none at the end',
    });
    return;
  }
  checkLength(name, report);
}

function checkIdentifier(name: Located<string> | undefined, kind: string, report: Report): void {
  if (name === undefined) return;
  if (memberName.test(name.value)) checkLength(name, report);
  else reportIllegal(name, kind, report);
}

function reportIllegal({ value, at }: Located<string>, kind: string, report: Report): void {
  const mended = value
    .trim()
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^[_0-9]+|_+$/g, '');
  report({
    code: 'SCF107',
    at,
    message: `\`${value}\` cannot name a ${kind}`,
    help: `a letter first, then letters, digits and \`_\`${mended === '' ? '' : `, like \`${mended}\``}`,
  });
}

function checkLength({ value, at }: Located<string>, report: Report): void {
  if (value.length <= longestIdentifier) return;
  report({
    code: 'SCF111',
    at,
    message: `\`${value}\` has ${value.length} characters; a name may have ${longestIdentifier}`,
    help: 'PostgreSQL cuts longer ones; choose a shorter name',
  });
}
