import { describe, expect, it } from 'vitest';
import { system } from '../../src/lib/access.ts';
import { listRows } from '../../src/database/insert-row.ts';
import type { Row } from '../factory.ts';
import { only, type Subject } from './subject.ts';

/** Deleted rows are kept: they vanish from every answer, and come back. */
export function testRestore({ api, resource, path }: Subject): void {
  const idsOf = async (query: string) => {
    const { items, total } = await listRows<Row>(api.app.reader, resource, {
      viewer: system,
      query,
    });
    expect(total).toBe(items.length);
    return items.map(({ id }) => id);
  };

  describe('restore', () => {
    it('keeps deleted rows where only admins see them', async () => {
      const admin = await api.signIn('admin');
      const { id } = await api.row(resource);
      await admin.delete(path + id);
      expect(await idsOf('')).not.toContain(id);
      expect(await idsOf('deleted=only')).toEqual([id]);
      expect(await idsOf('deleted=with')).toContain(id);
    });

    it('brings a row back', async () => {
      const admin = await api.signIn('admin');
      const { id } = await api.row(resource);
      await admin.delete(path + id);
      const response = await admin.post(`${path}${id}/restore`);
      expect(response.statusCode).toBe(200);
      expect(response.json()).toMatchObject({ id, deleted_at: null });
      expect(await idsOf('')).toContain(id);
    });

    it('frees what has to be unique', async () => {
      const admin = await api.signIn('admin');
      const row = await api.row(resource);
      await admin.delete(path + row.id);
      const twin = await api.row(
        resource,
        only(row, (name) => !['id', 'deleted_at'].includes(name)),
      );
      expect(twin.id).not.toBe(row.id);
    });
  });
}
