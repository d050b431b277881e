/** What the tool keeps in a project, below its root. */
export const recordPath = '.scaffold/lock.json';
export const snapshotPath = '.scaffold/schema.json';
export const conflictsPath = '.scaffold/conflicts.json';

/** The working state of a run, and what it leaves for `--undo`. Both are ignored by git. */
export const runFolder = '.scaffold/run';
export const undoFolder = '.scaffold/undo';
