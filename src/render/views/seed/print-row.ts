import { usedNames } from '../../imports.ts';
import { code, joinLines, tsKey } from '../../typescript.ts';

/** The value of a column, or, without a column, an object that is spread in the row. */
export interface RowLine {
  readonly column?: string;
  readonly value: string;
  readonly variable?: string;
  /** The value if the variable exists: by default, the variable. */
  readonly named?: string;
}

function printLine(column: string | undefined, value: string): string {
  if (column === undefined) return `...${value},`;
  return column === value ? `${column},` : `${tsKey(column)}: ${value},`;
}

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
  declare(lines.map(({ value }) => value).join('\n'));
  const row = lines.map(({ column, value, variable = '', named = variable }) =>
    printLine(column, statements.has(variable) ? named : value),
  );
  const body = [...statements.values()];
  const indent = body.length > 0 ? '      ' : '    ';
  return {
    parameter: code(usedNames([...body, ...row].join('\n')).has('rows') ? 'rows' : ''),
    statements: body.length > 0 && joinLines(...body.map((line) => `    ${line}`)),
    lines: joinLines(...row.map((line) => indent + line)),
  };
}
