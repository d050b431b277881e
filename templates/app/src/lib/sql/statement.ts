import { placeholder } from '../dialect.ts';
import type { Sql } from './sql.ts';

export interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

export function statementOf({ texts, values }: Sql): Statement {
  const text = texts.reduce((before, after, index) => `${before}${placeholder(index)}${after}`);
  return { text, parameters: values };
}
