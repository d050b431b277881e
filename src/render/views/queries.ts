import type { Model } from '../../model/app.ts';
import { code } from '../code.ts';

/** What `src/<folder>/queries.ts` prints. */
export function queriesView(model: Model) {
  const { names, softDelete } = model;
  const restore = softDelete ? ['restoreRow'] : [];
  return {
    ...names,
    softDelete,
    newType: `New${names.type}`,
    rowNames: code(
      [
        'deleteRow',
        'findRow',
        'insertRow',
        ...restore,
        'updateRow',
        'type NewRow',
        'type RowChange',
        'type RowRequest',
      ].join(', '),
    ),
    schemaNames: code(
      [names.variablePlural, `type New${names.type}`, `type ${names.type}`].join(', '),
    ),
  };
}
