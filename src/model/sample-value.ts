import { fieldTypes } from '../types/all.ts';
import type { Json } from '../types/field-type.ts';
import type { App, Field } from './app.ts';
import { listEnumValues } from './lookups.ts';

/** A valid value in the form of the API: the example of the schema, if there is one. */
export function makeSampleValue(field: Field, app: App): Json {
  if (field.example !== undefined) return field.example;
  return listEnumValues(field, app)[0]?.value ?? fieldTypes[field.type.kind].sample(field);
}
