import type { Model } from '../../model/app.ts';
import { code } from '../code.ts';
import { isServerSet } from './field-sources.ts';

/** What `src/<folder>/queries.ts` prints. */
export function queriesView(model: Model) {
  const { names, softDelete } = model;
  const newType = model.fields.some(isServerSet) ? `New${names.type}` : `Create${names.type}`;
  const restore = softDelete ? ['restoreRow'] : [];
  return {
    ...names,
    softDelete,
    newType,
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
    schemaNames: code([names.variablePlural, `type ${newType}`, `type ${names.type}`].join(', ')),
  };
}
