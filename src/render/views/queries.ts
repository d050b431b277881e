import type { Model } from '../../model/app.ts';
import { code } from '../code.ts';

/** What `src/<folder>/queries.ts` prints. */
export function queriesView(model: Model) {
  const { names, softDelete } = model;
  const newType = `New${names.type}`;
  const [created, changed] = isLikeAnyObject(model)
    ? [`${newType} | Create${names.type}`, `${newType} | Update${names.type}`]
    : [newType, newType];
  const types = new Set([
    ...created.split(' | '),
    ...changed.split(' | '),
    names.type,
    ...(names.type === 'User' ? [`Update${names.type}`] : []),
  ]);
  const restore = softDelete ? ['restoreRow'] : [];
  return {
    ...names,
    softDelete,
    created: code(created),
    changed: code(changed),
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
      [names.variablePlural, ...[...types].map((name) => `type ${name}`)].join(', '),
    ),
  };
}

/** A body that has no field `toString` has the function of that name, which is not what a new row may hold. */
function isLikeAnyObject({ fields }: Model): boolean {
  return fields.some(({ name }) => name in Object.prototype);
}
