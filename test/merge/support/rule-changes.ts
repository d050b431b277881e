import { parse } from 'yaml';
import { schemaOfProduct } from '../../support/products.ts';
import type { SchemaStep } from './changed-files.ts';
import { appOf } from './evolutions.ts';

interface Model {
  fields?: Record<string, string>;
  access?: Record<string, string | readonly string[]>;
}

interface Schema {
  database?: string;
  models: Record<string, Model>;
}

type Change = (model: Required<Model>) => void;

const operations = ['list', 'read', 'create', 'update', 'delete'];

/** A product before and after each single change of a rule: an entry more or less, a condition more, a rule more or less. */
export function ruleSteps(product: string): readonly SchemaStep[] {
  const schema: Schema = { ...parse(schemaOfProduct(product)), database: 'sqlite' };
  const before = JSON.stringify(schema, null, 2);
  return Object.entries(schema.models).flatMap(([model, it]) =>
    changesOf(it).flatMap(([name, change]): SchemaStep[] => {
      const { fields = {}, access = {}, ...others } = structuredClone(it);
      const changed = { ...others, fields, access };
      change(changed);
      const next = { ...schema, models: { ...schema.models, [model]: changed } };
      const after = JSON.stringify(next, null, 2);
      // What another rule needs cannot be removed.
      return appOf(after) ? [{ name: `${product}: ${model}.${name}`, before, after }] : [];
    }),
  );
}

function changesOf({ access = {} }: Model): readonly (readonly [name: string, change: Change])[] {
  const open = operations.filter((operation) => access[operation] === undefined);
  return [
    ...open.map((operation) => {
      const change: Change = (it) => (it.access[operation] = 'authenticated');
      return [`${operation}, new`, change] as const;
    }),
    ...Object.entries(access).flatMap(([operation, rule]) => {
      const entries = [rule].flat();
      const set = (next: readonly string[]): Change => {
        return ({ access: rules }) => (rules[operation] = next);
      };
      const others = ['authenticated', 'admin', 'public'];
      return [
        [`${operation}, gone`, (it: Required<Model>) => delete it.access[operation]] as const,
        ...others.map((it) => [`${operation} and ${it}`, set([...entries, it])] as const),
        ...entries.flatMap((entry, at) => [
          [`${operation} without ${entry}`, set(entries.toSpliced(at, 1))] as const,
          [`${operation}: ${entry} if`, narrowed(operation, entries, at)] as const,
        ]),
      ];
    }),
  ];
}

function narrowed(operation: string, entries: readonly string[], at: number): Change {
  return ({ fields, access }) => {
    fields['is_new'] = 'bool = false';
    access[operation] = entries.map((entry, index) => {
      if (index !== at) return entry;
      return entry.includes(' if ') ? `${entry} and is_new = true` : `${entry} if is_new = true`;
    });
  };
}
