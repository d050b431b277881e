import { parse, stringify } from 'yaml';

interface Schema {
  readonly models: Readonly<Record<string, Model | null>>;
}

interface Model {
  readonly id?: string | object;
}

/** Words of SQL and capitals among them. */
const columns = ['token', 'postId', 'order', 'website_id', 'SLUG', 'group'];

/** The schema, with the ids of each model but `User` in a column of another name. */
export function withOtherKeys(text: string): string {
  const schema: Schema = parse(text);
  const models = Object.entries(schema.models).map(([name, model], at) => {
    if (name === 'User') return [name, model];
    const { id, ...rest } = model ?? {};
    const taken = JSON.stringify(rest).toLowerCase();
    const turned = [...columns.slice(at % columns.length), ...columns];
    const column = turned.find((it) => !taken.includes(it.toLowerCase()));
    return [name, { ...rest, id: { ...(typeof id === 'string' ? { type: id } : id), column } }];
  });
  return stringify({ ...schema, models: Object.fromEntries(models) });
}
