import type { Database } from '../database/client.ts';
import type { UserId } from '../users/schema.ts';
import type { Viewer } from './access.ts';
import type { Resource } from './resource.ts';
import type { Identified } from './rows.ts';
import { written } from './write.ts';

/** Makes the creator of a row its first member: `insert` writes the membership. The server itself never becomes one. */
export async function makeFirst<Row extends Identified>(
  open: Database,
  resource: Resource<Row>,
  by: Viewer | null,
  insert: (user: UserId) => Promise<Pick<Row, 'id'>>,
): Promise<void> {
  if (by === null || by.id === 0) return;
  const { id } = await insert(by.id);
  await written(open, resource, id, { operation: 'create', by });
}
