import { listUsedNames } from '../../imports.ts';
import { code, tsKey } from '../../typescript.ts';

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

/** The members of a row, and the variables above them, below which they are a level deeper. */
export function printRow(lines: readonly RowLine[], variables: ReadonlyMap<string, string>) {
  const declared = new Map<string, string>();
  const declare = (text: string) => {
    const used = listUsedNames(text);
    for (const [name, value] of variables) {
      if (!used.has(name) || declared.has(name)) continue;
      declare(value);
      declared.set(name, value);
    }
  };
  declare(lines.map(({ value }) => value).join('\n'));
  const row = lines.map(({ column, value, variable = '', named = variable }) =>
    printLine(column, declared.has(variable) ? named : value),
  );
  const statements = [...declared].map(([name, value]) => `const ${name} = ${value};`);
  const isNamed = statements.length > 0;
  return {
    parameter: code(listUsedNames([...statements, ...row].join('\n')).has('rows') ? 'rows' : ''),
    variables: isNamed && code(statements.join('\n    ')),
    members: code(row.join(isNamed ? '\n      ' : '\n    ')),
  };
}
