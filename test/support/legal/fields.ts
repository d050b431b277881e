import * as fc from 'fast-check';
import { legalField, type LegalField } from './field.ts';
import { fieldNames, prose } from './names.ts';
import { maybe, type Document, shuffled } from './pick.ts';
import { fitsShortForm, longForm, shortForm } from './schema-text.ts';
import type { World } from './world.ts';

export interface Fields {
  readonly document: Document;
  /** Names that an index, an order or a unique constraint may hold. */
  readonly orderable: readonly string[];
  /** One whose values are many enough to make any combination with it unique. */
  readonly varied: string | undefined;
}

/** One to seven fields, each written in the short or the long form. */
export function fieldsDocument({ pick, enums }: World, taken: ReadonlySet<string>): Fields {
  const free = fieldNames.filter((name) => !taken.has(name));
  const fields = shuffled(pick, free, { least: 1, most: 7 }).map((name): [string, LegalField] => [
    name,
    pick(legalField, enums),
  ]);
  const document = fields.map(([name, field], at): [string, unknown] => {
    const isRenamed = pick(fc.integer, { min: 0, max: 9 }) === 0;
    const written = {
      ...field,
      ...(isRenamed && { column: `column_${at}` }),
      ...maybe(pick, 'description', prose),
    };
    const isShort = fitsShortForm(written) && pick(fc.boolean);
    return [name, isShort ? shortForm(written) : longForm(written)];
  });
  return {
    document: Object.fromEntries(document),
    orderable: fields.filter(([, field]) => isOrderable(field)).map(([name]) => name),
    varied: fields.find(([, field]) => isVaried(field))?.[0],
  };
}

function isOrderable({ type, flags }: LegalField): boolean {
  return !/^(text|json|bytes)$/.test(type) && !flags.includes('hidden');
}

function isVaried({ type, min, flags, default: value }: LegalField): boolean {
  return (
    /^(string|email|url|uuid)$/.test(type) &&
    min !== '5' &&
    flags.length === 0 &&
    value === undefined
  );
}
