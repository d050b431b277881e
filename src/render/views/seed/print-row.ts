import { usedNames } from '../../imports.ts';
import { code, linesOf, tsKey } from '../../typescript.ts';

/** What a row holds in a line, and what it holds instead once a variable has the value. */
export interface RowLine {
  readonly text: string;
  readonly variable?: string;
  readonly named?: string;
}

/** A column of the row; `named` is its value once the variable is there. */
export const columnLine = (
  column: string,
  value: string,
  variable: string,
  named = variable,
): RowLine => ({ text: property(column, value), variable, named: property(column, named) });

const property = (name: string, value: string) =>
  name === value ? `${name},` : `${tsKey(name)}: ${value},`;

/** The function that draws a row: an object alone, or after the variables that something in it uses. */
export function printRow(lines: readonly RowLine[], variables: ReadonlyMap<string, string>) {
  const statements = new Map<string, string>();
  const declare = (text: string) => {
    const used = usedNames(text);
    for (const [name, value] of variables) {
      if (!used.has(name) || statements.has(name)) continue;
      declare(value);
      statements.set(name, `const ${name} = ${value};`);
    }
  };
  declare(lines.map(({ text }) => text).join('\n'));
  const body = [...statements.values()];
  const row = lines.map(({ text, variable = '', named = text }) =>
    statements.has(variable) ? named : text,
  );
  const parameter = usedNames([...body, ...row].join('\n')).has('rows') ? '(rows)' : '()';
  if (body.length === 0) {
    return {
      opening: code(`${parameter} => ({`),
      lines: linesOf(...indented(row, '    ')),
      closing: code('})),'),
    };
  }
  return {
    opening: code(`${parameter} => {`),
    lines: linesOf(
      ...indented([...body, 'return {'], '    '),
      ...indented(row, '      '),
      '    };',
    ),
    closing: code('}),'),
  };
}

const indented = (texts: readonly string[], indent: string) => texts.map((it) => indent + it);
