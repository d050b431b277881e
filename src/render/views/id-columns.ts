import type { App, Model } from '../../model/app.ts';
import { idColumn } from '../../model/lookups.ts';
import { code, tsValue } from '../typescript.ts';

/** Prints the name of a table's id column in SQL: `id`, or a call of `idColumn` if some models have another name. */
export function idColumnsView({ models }: Pick<App, 'models'>) {
  const others = models.map((model) => [model.table, idColumn(model)] as const);
  const named = others.filter(([, column]) => column !== 'id');
  const isRenamed = named.length > 0;
  const either = (renamed: string, usual: string) => code(isRenamed ? renamed : usual);
  return {
    renamedIds: isRenamed,
    idColumns: code(tsValue(named)),
    ids: {
      ofTable: either('idColumn(table)', "'id'"),
      partOfThere: either('${idColumn(there)}', 'id'),
      inName: either('${sql.ref(idColumn(name))}', 'id'),
      inResource: either('${idOf(resource)}', 'id'),
      inThere: either('${sql.ref(`_there.${idColumn(table)}`)}', '_there.id'),
    },
  };
}

/** What an insert returns: `id`, or `website_id as id`. */
export function returnedId(model: Model): string {
  const column = idColumn(model);
  return column === 'id' ? column : `${column} as id`;
}
