import type { AfterWrite } from './lib/rows.ts';

/**
 * What happens whenever a row is created, changed, deleted or restored by the functions of `queries.ts`: an audit log, an
 * event for a webhook. Called one after another, in the transaction of the write, with the whole row before and after it.
 */
export const afterWrite: readonly AfterWrite[] = [];
