import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DatabaseSync } from '../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { collect } from './support/collect.ts';

test('a statement keeps its database open, even when nothing else refers to it', async () => {
  const { statement, database } = prepared();
  for (let round = 0; round < 5; round += 1) {
    collect();
    await sleep(5);
  }
  expect(database.deref()).toBeDefined();
  expect(statement.get()).toEqual({ one: 1 });
});

function prepared() {
  const database = new DatabaseSync(':memory:');
  return { statement: database.prepare('select 1 as one'), database: new WeakRef(database) };
}
