import type { App, Enum, EnumValue, Field } from './app.ts';

/** Undefined for a field that holds none. */
export function enumOf({ type }: Pick<Field, 'type'>, { enums }: App): Enum | undefined {
  return enums.find(({ name }) => type.kind === 'enum' && type.enum === name);
}

export function valuesOf(field: Pick<Field, 'type'>, app: App): readonly EnumValue[] {
  return enumOf(field, app)?.values ?? [];
}
