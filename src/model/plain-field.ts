import type { FieldType } from './app.ts';

/** What every field has, before its own facts are laid over it. */
export function plainField(model: string, name: string) {
  return {
    id: `field:${model}.${name}`,
    name,
    column: name,
    nullable: false,
    source: 'client',
    unique: false,
    index: false,
    immutable: false,
    hidden: false,
    extensions: {},
  } as const;
}

export function keyType(idType: 'int' | 'uuid'): FieldType {
  return { kind: idType === 'int' ? 'id' : 'uuid' };
}
