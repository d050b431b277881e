import { isScalar } from '../../types/all.ts';
import type { TypedField } from '../../types/field-type.ts';
import type { FieldSchema } from '../schema.ts';

/** As the types look at a field; undefined for a decimal that does not say its digits: that is a problem already. */
export function typedField(field: FieldSchema): TypedField | undefined {
  const { type, precision, scale, min, max, pattern } = field;
  const limits = {
    ...(min && { min: min.value }),
    ...(max && { max: max.value }),
    ...(pattern && { pattern: pattern.value }),
  };
  if (!isScalar(type.value)) return { type: { kind: 'enum', enum: type.value }, ...limits };
  if (type.value !== 'decimal') return { type: { kind: type.value }, ...limits };
  if (precision === undefined || scale === undefined) return undefined;
  return { type: { kind: 'decimal', precision, scale }, ...limits };
}
