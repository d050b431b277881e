import type { Schema } from './schema.ts';
import type { Report } from './shape.ts';

export type Rule = (schema: Schema, report: Report) => void;

export const rules: readonly Rule[] = [];
