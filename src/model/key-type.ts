import type { FieldType } from './app.ts';

export function keyType(idType: 'int' | 'uuid'): FieldType {
  return { kind: idType === 'int' ? 'id' : 'uuid' };
}
