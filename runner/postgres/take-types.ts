import type { Client } from 'pg';
import type { SchemaFacts } from '../checks.ts';
import type { TakeoverStep } from '../plan-takeover.ts';
import { quote } from './take-columns.ts';

/** Types of enums that are not there yet, and values that those which are there lack. */
export async function changeTypes(client: Client, expected: SchemaFacts) {
  const wanted = [...expected].filter(([object]) => object.startsWith('type '));
  const { rows } = await client.query<{ name: string; labels: string[] }>(`
    select typname as name, array_agg(quote_literal(enumlabel)) as labels
    from pg_type join pg_enum on enumtypid = pg_type.oid
    where typnamespace = quote_ident(current_schema())::regnamespace group by typname`);
  const steps: TakeoverStep[] = [];
  const obstacles: string[] = [];
  for (const [object, labels] of wanted) {
    const name = object.slice('type '.length);
    const found = rows.find((row) => row.name === name)?.labels;
    const listed: readonly string[] = labels.match(literal) ?? [];
    if (found === undefined) {
      const statement = `CREATE TYPE ${quote(name)} AS ENUM (${labels});`;
      steps.push({ title: `The type ${name} is new.`, statements: [statement] });
      continue;
    }
    const absent = listed.filter((label) => !found.includes(label));
    const unknown = found.filter((label) => !listed.includes(label));
    if (absent.length > 0) {
      const statements = absent.map((it) => `ALTER TYPE ${quote(name)} ADD VALUE ${it};`);
      steps.push({ title: `The type ${name} gets ${absent.join(', ')}.`, statements });
    }
    if (unknown.length > 0) {
      obstacles.push(
        `The type ${name} has ${unknown.join(', ')}, which schema.yaml does not have. Add it to the enum there.`,
      );
    }
  }
  return { steps, obstacles };
}

const literal = /E?'(?:[^']|'')*'/g;
