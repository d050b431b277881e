import type { AfterWrite } from './lib/rows.ts';

/**
 * Called whenever the server creates, changes, deletes or restores a row, for an audit log or a webhook: one after another,
 * in the transaction of the write, with the whole row as it was before and as it is after. Ask `isWriteOf` for the model of
 * the row. A transaction may be rolled back or run again, so do nothing outside the database here: queue it in a table. Not
 * called for SQL of your own, or for rows that the database deletes along with another one.
 */
export const afterWrite: readonly AfterWrite[] = [];
