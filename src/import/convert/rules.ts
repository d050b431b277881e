import { spellComparison } from '../../schema/spell-entry.ts';
import { type CheckParts, orderOperators } from '../../schema/check.ts';
import type { FoundTable } from '../catalogue.ts';
import { type Term, parseTerms } from './expressions.ts';

/** Rules for the values of a column, found in checks. */
export interface ColumnRules {
  min?: string | undefined;
  max?: string | undefined;
  /** Lengths of texts and bytes. */
  least?: number | undefined;
  most?: number | undefined;
  values?: readonly string[] | undefined;
  shape?: 'date' | 'time' | 'datetime' | 'bool' | 'json' | 'list' | 'uuid' | undefined;
}

/** Converts the checks of a table: to rules of columns, to checks of two columns, and to a list of the rest. */
export function convertRules({ checks, columns, isStrict }: FoundTable) {
  const rules = new Map<string, ColumnRules>(columns.map(({ name }) => [name, {}]));
  const isText = new Map(columns.map(({ name, type }) => [name, !numeric.test(type)]));
  const isSqlite = isStrict !== undefined;
  const ordered: CheckParts[] = [];
  const others: string[] = [];
  for (const expression of checks) {
    const terms = parseTerms(expression);
    const isUnderstood = terms?.every((term) => {
      const [left = '', right] = term.columns;
      const operator = orderOperators.find((it) => term.form === `n ${it} n`);
      if (operator !== undefined && right !== undefined) {
        ordered.push({ left, operator, right });
        return true;
      }
      const rule = rules.get(left);
      if (rule === undefined || new Set(term.columns).size > 1) return false;
      return addTo(rule, term) || allowValues(rule, term, { isSqlite, isText: isText.get(left) });
    });
    if (isUnderstood !== true) others.push(expression);
  }
  return { columns: rules, checks: ordered, others };
}

/** What a term means for a column, by its form. A term about a length has a form such as `length n <= v`. */
const checkMeanings: Readonly<
  Record<string, (values: readonly string[], rule: ColumnRules) => ColumnRules | undefined>
> = {
  'n >= v': ([min]) => ({ min }),
  'n <= v': ([max]) => ({ max }),
  'n between v and v': ([min, max]) => ({ min, max }),
  'length n >= v': ([least]) => ({ least: Number(least) }),
  'length n <= v': ([most]) => ({ most: Number(most) }),
  'length n = v': ([both]) => ({ least: Number(both), most: Number(both) }),
  'length n between v and v': ([least, most]) => ({ least: Number(least), most: Number(most) }),
  'n is date ( n )': () => ({ shape: 'date' }),
  'n is strftime ( v , n )': ([form]) => ({ shape: form?.includes('%Y') ? 'datetime' : 'time' }),
  'json_valid ( n )': (_, { shape = 'json' }) => ({ shape }),
  'json_type ( n ) = v': ([type]) => (type === 'array' ? { shape: 'list' } : undefined),
  'n not glob v': ([form]) => (form === '*[^-0-9a-f]*' ? { shape: 'uuid' } : undefined),
  // Checks of lists.
  'json ( n ) = n': () => ({}),
  'array_position ( n , null ) is null': () => ({}),
};

/** False if the term is not understood. */
function addTo(rule: ColumnRules, { form, values }: Term): boolean {
  const short = form.replace(/^(?:char_|octet_)?length \( n \)/, 'length n');
  const found = checkMeanings[short]?.(values, rule);
  Object.assign(rule, found);
  return found !== undefined;
}

/** Types whose values cannot form an enum. */
const numeric =
  /^(?:\w*int|integer|numeric|decimal|real|double|float|bool|date|time|uuid|json|bytea|blob)/;

/** SQLite stores booleans as numbers. */
function allowValues(
  rule: ColumnRules,
  { form, values }: Term,
  { isSqlite, isText }: { readonly isSqlite: boolean; readonly isText: boolean | undefined },
): boolean {
  if (!['n in ( v )', 'n = any ( array [ v ] )', 'n = v'].includes(form)) return false;
  if (isSqlite && values.join() === '0,1') rule.shape = 'bool';
  else if (isText === true) rule.values = values;
  else return false;
  return true;
}

/** The condition of a partial index as a schema writes it, term by term. */
export function partialCondition(
  where: string,
  nameOf: (column: string) => string | undefined,
  isFlag: (name: string) => boolean,
) {
  const all = parseTerms(where)?.map((term) => {
    const [column = '', ...others] = term.columns;
    const name = nameOf(column);
    const texts = isFlag(name ?? '') ? term.values.map((it) => flags[it] ?? it) : term.values;
    const values = texts.map((text) => ({ kind: 'literal' as const, text }));
    const form = term.form.replace(/^n$/, 'n = v').replace('n = any ( array [ v ] )', 'n in ( v )');
    const operator = operators.find((it) => form === (it === 'in' ? 'n in ( v )' : `n ${it} v`));
    const test = (['is null', 'is not null'] as const).find((it) => form === `n ${it}`);
    const asked = test ?? operator;
    if (name === undefined || others.length > 0 || asked === undefined) return undefined;
    const compared = term.form === 'n' ? [{ kind: 'literal' as const, text: 'true' }] : values;
    const text = spellComparison({ path: [name], operator: asked, values: compared });
    return { column, name, text, asked };
  });
  const known = all?.flatMap((it) => it ?? []);
  return known?.length === all?.length ? known : undefined;
}

/** SQLite has no word for them. */
const flags: Readonly<Record<string, string>> = { '0': 'false', '1': 'true' };

const operators = ['=', '!=', '<', '<=', '>', '>=', 'in'] as const;
