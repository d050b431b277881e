import type { App, EnumValue, Field } from '../../model/app.ts';

/** None for a field that holds no enum. */
export function valuesOfField({ type }: Field, app: App): readonly EnumValue[] {
  if (type.kind !== 'enum') return [];
  return app.enums.find(({ name }) => name === type.enum)?.values ?? [];
}
