import { type App, idColumn, type Model } from '../../model/app.ts';
import { code, tsValue } from '../typescript.ts';

/** How SQL names the ids of a table: as `id`, or in a project that calls some of them otherwise, as `tables.ts` tells. */
export function idColumnsView({ models }: Pick<App, 'models'>) {
  const others = models.map((model) => [model.table, idColumn(model)] as const);
  const named = others.filter(([, column]) => column !== 'id');
  const isTold = named.length > 0;
  const told = (text: string, plain: string) => code(isTold ? text : plain);
  return {
    tellsIds: isTold,
    callsAllId: !isTold,
    idColumns: code(tsValue(named)),
    ids: {
      ofTable: told('idColumn(table)', "'id'"),
      partOfThere: told('${idColumn(there)}', 'id'),
      inName: told('${sql.ref(idColumn(name))}', 'id'),
      inResource: told('${idOf(resource)}', 'id'),
      inThere: told('${sql.ref(`_there.${idColumn(table)}`)}', '_there.id'),
    },
  };
}

/** What a new row is known by: `id`, or `website_id as id`. */
export function returnedId(model: Model): string {
  const column = idColumn(model);
  return column === 'id' ? column : `${column} as id`;
}
