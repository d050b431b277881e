import { fieldTypes } from '../types/all.ts';
import type { App, Field, Json } from './app.ts';
import { valuesOf } from './enum-of.ts';

/** A legal value of the field as it travels: the schema's own example where it gives one. */
export function sampleValue(field: Field, app: App): Json {
  if (field.example !== undefined) return field.example;
  return valuesOf(field, app)[0]?.value ?? fieldTypes[field.type.kind].sample(field);
}
