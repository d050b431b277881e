import type { AfterWrite } from './lib/rows.ts';

/**
 * Called whenever the functions of `queries.ts` create, change, delete or restore a row, for an audit log or a webhook:
 * one after another, in the transaction of the write, with the whole row as it was before and as it is after. Ask
 * `isWriteOf` for the model of the row. Not called for rows that the database deletes along with another one.
 */
export const afterWrite: readonly AfterWrite[] = [];
