import type { Client } from 'pg';
import type { SchemaParts } from '../checks.ts';
import type { TakeoverStep } from '../plan-takeover.ts';
import { quoteName } from '../statements.ts';

/** Creates missing enum types, and adds missing values to existing ones. */
export async function changeTypes(client: Client, expected: SchemaParts) {
  const wanted = [...expected].filter(([object]) => object.startsWith('type '));
  const { rows } = await client.query<{ name: string; isEnum: boolean; labels: string[] }>(`
    select typname as name, typtype = 'e' as "isEnum",
      array(select quote_literal(enumlabel) from pg_enum where enumtypid = pg_type.oid) as labels
    from pg_type where typnamespace = quote_ident(current_schema())::regnamespace`);
  const changes = wanted.map(([object, labels]) => {
    const name = object.slice('type '.length);
    const there = rows.find((row) => row.name === name);
    if (there === undefined) {
      const statement = `CREATE TYPE ${quoteName(name)} AS ENUM (${labels});`;
      return { steps: [{ title: `The type ${name} is new.`, statements: [statement] }] };
    }
    return there.isEnum ? addLabels(there, labels.match(literal) ?? [], expected) : nameTaken(name);
  });
  return {
    steps: changes.flatMap(({ steps = [] }) => steps),
    obstacles: changes.flatMap(({ obstacles = [] }) => obstacles),
  };
}

interface TypeChange {
  readonly steps?: readonly TakeoverStep[];
  readonly obstacles?: readonly string[];
}

function nameTaken(name: string): TypeChange {
  return {
    obstacles: [
      `The database has a table or a type ${name}, so no enum can be a type of that name. Give it another one in schema.yaml, under \`storage: { enums: { … } }\`.`,
    ],
  };
}

function addLabels(
  { name, labels: found }: { readonly name: string; readonly labels: readonly string[] },
  listed: readonly string[],
  expected: SchemaParts,
): TypeChange {
  const absent = listed.filter((label) => !found.includes(label));
  const unknown = found.filter((label) => !listed.includes(label));
  const used = absent.filter((label) => isUsed(`${label}::${name}`, expected));
  const add = (label: string) => `ALTER TYPE ${quoteName(name)} ADD VALUE ${label};`;
  const steps =
    absent.length === 0 || used.length > 0
      ? []
      : [{ title: `The type ${name} gets ${absent.join(', ')}.`, statements: absent.map(add) }];
  const obstacles: string[] = [];
  if (used.length > 0) {
    obstacles.push(
      `The type ${name} lacks ${used.join(', ')}, which a default or an index uses, and PostgreSQL can use a new value only after the transaction that adds it. Run \`${used.map(add).join(' ')}\` first.`,
    );
  }
  if (unknown.length > 0) {
    obstacles.push(
      `The type ${name} has ${unknown.join(', ')}, which schema.yaml does not have. Add it to the enum there.`,
    );
  }
  return { steps, obstacles };
}

/** Whether a default, a constraint or the condition of an index uses it. */
function isUsed(value: string, expected: SchemaParts): boolean {
  return [...expected.values()].some((definition) =>
    definition.replaceAll('"', '').includes(value),
  );
}

const literal = /E?'(?:[^']|'')*'/g;
