import { askDesk } from './desk.ts';

/** The URL of a new, empty database in the PostgreSQL of this test run. */
export function freshDatabase(): Promise<string> {
  return askDesk('/database');
}
