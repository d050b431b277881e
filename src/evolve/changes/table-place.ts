import type { App } from '../../model/app.ts';
import { schemaName } from '../../naming/name.ts';
import type { Table } from '../tables/table.ts';

/** What the schema calls the things in a table: by their model; the tables of links and the server's own by themselves. */
export function tablePlace({ id, name }: Pick<Table, 'id' | 'name'>, { models }: App): string {
  const model = models.find((it) => it.id === id);
  return model === undefined ? name : schemaName(model);
}
