import { describe, expect, it } from 'vitest';
import { system } from '../../src/lib/access.ts';
import { findRow } from '../../src/database/insert-row.ts';
import { strangeId, type Subject } from './subject.ts';

export function testDelete({ api, resource, path, heldBy }: Subject): void {
  describe('delete', () => {
    it('takes the row away', async () => {
      const admin = await api.signIn('admin');
      const { id } = await api.row(resource);
      const response = await admin.delete(path + id);
      expect(response.statusCode).toBe(204);
      expect(response.body).toBe('');
      expect(await findRow(api.app.reader, resource, { viewer: system, id })).toBeUndefined();
      expect((await admin.delete(path + id)).statusCode).toBe(404);
    });

    it('does not find a row that is not there', async () => {
      const admin = await api.signIn('admin');
      expect((await admin.delete(`${path}${strangeId(resource)}`)).statusCode).toBe(404);
    });

    it('refuses while other rows point to it', async () => {
      const admin = await api.signIn('admin');
      const { id } = await api.row(resource);
      if (heldBy !== undefined) await api.row(heldBy.resource, { [heldBy.key]: id });
      const { statusCode } = await admin.delete(path + id);
      expect(statusCode).toBe(heldBy === undefined ? 204 : 409);
    });
  });
}
