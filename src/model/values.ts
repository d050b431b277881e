import { fieldTypes } from '../types/all.ts';
import type { App, Enum, EnumValue, Field, Json } from './app.ts';

/** Undefined for a field that holds none. */
export function enumOf({ type }: Pick<Field, 'type'>, { enums }: App): Enum | undefined {
  return enums.find(({ name }) => type.kind === 'enum' && type.enum === name);
}

export function valuesOf(field: Pick<Field, 'type'>, app: App): readonly EnumValue[] {
  return enumOf(field, app)?.values ?? [];
}

/** A legal value of the field as it travels: the schema's own example where it gives one. */
export function sampleValue(field: Field, app: App): Json {
  if (field.example !== undefined) return field.example;
  return valuesOf(field, app)[0]?.value ?? fieldTypes[field.type.kind].sample(field);
}
