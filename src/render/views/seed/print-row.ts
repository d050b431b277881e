import { usedNames } from '../../imports.ts';
import { code, linesOf, tsKey } from '../../typescript.ts';

/** A line of a row, and the shorter one that uses a variable with the same value. */
export interface RowLine {
  readonly text: string;
  readonly variable?: string;
  readonly named?: string;
}

/** A column of the row. `named`: its value if the variable exists. */
export const columnLine = (
  column: string,
  value: string,
  variable: string,
  named = variable,
): RowLine => ({ text: property(column, value), variable, named: property(column, named) });

const property = (name: string, value: string) =>
  name === value ? `${name},` : `${tsKey(name)}: ${value},`;

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
  const row = lines.map(({ text, variable = '', named = text }) =>
    statements.has(variable) ? named : text,
  );
  const body = [...statements.values()];
  const indent = body.length > 0 ? '      ' : '    ';
  return {
    parameter: code(usedNames([...body, ...row].join('\n')).has('rows') ? 'rows' : ''),
    statements: body.length > 0 && linesOf(...body.map((line) => `    ${line}`)),
    lines: linesOf(...row.map((line) => indent + line)),
  };
}
