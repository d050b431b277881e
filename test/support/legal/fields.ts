import * as fc from 'fast-check';
import { type DrawnField, type LegalField, legalField } from './field.ts';
import { columnNames, fieldNames, labels, madeName, prose } from './names.ts';
import { maybe, type Document, oneIn, type Pick, shuffled } from './pick.ts';
import { fitsShortForm, longForm, shortForm } from './schema-text.ts';
import { rulesDocument } from './rules.ts';
import type { World } from './world.ts';

export interface Fields {
  readonly document: Document;
  /** Names that an index or a unique constraint may hold. */
  readonly orderable: readonly string[];
  /** Those that hold the same in every new row. */
  readonly fixed: readonly string[];
  /** Those that an order may hold. */
  readonly shown: readonly string[];
  /** One whose values are many enough to make any combination with it unique. */
  readonly varied: string | undefined;
}

interface Place {
  readonly taken: ReadonlySet<string>;
  /** More names that a field can have here. */
  readonly extra?: readonly string[];
  /** Users, and what they point to, are there before a test begins: what is unique among them needs many values. */
  readonly isCrowded?: boolean;
  /** What rules of fields may say, besides roles. */
  readonly words: readonly string[];
}

/** One to seven fields, each written in the short or the long form. */
export function fieldsDocument(
  world: World,
  { taken, extra = [], isCrowded, words }: Place,
): Fields {
  const { pick, enums } = world;
  const fields = fieldNamesFor(pick, extra, taken).map((name): [string, DrawnField] => {
    const drawn = pick(legalField, enums);
    return [name, isCrowded && !drawn.isMany ? withoutUnique(drawn) : drawn];
  });
  const document = fields.map(([name, { field }], at): [string, unknown] => {
    const written = {
      ...field,
      ...(oneIn(pick, 10) && { column: columnNames[at % columnNames.length] ?? '' }),
      ...(oneIn(pick, 10) && { was: `former_${at}` }),
      ...maybe(pick, 'description', prose),
      ...rulesDocument(world, {
        words,
        isHidden: field.flags.includes('hidden'),
        isUnwritten: field.flags.includes('readonly'),
        isRequired: field.optional !== true && field.default === undefined,
      }),
      ...(oneIn(pick, 10) && { [`x-label`]: pick(fc.constantFrom, ...labels) }),
    };
    const isShort = fitsShortForm(written) && pick(fc.boolean);
    return [name, isShort ? shortForm(written) : longForm(written)];
  });
  const orderable = fields.filter(([, { isOrderable }]) => isOrderable);
  return {
    document: Object.fromEntries(document),
    orderable: orderable.map(([name]) => name),
    fixed: fields.filter(([, { field }]) => isFixed(field)).map(([name]) => name),
    shown: orderable
      .filter(([, { field }]) => !field.flags.includes('hidden'))
      .map(([name]) => name),
    varied: fields.find(([, drawn]) => isVaried(drawn))?.[0],
  };
}

/** From the list of awkward ones, or made of words, so that lines are broken everywhere. */
function fieldNamesFor(
  pick: Pick,
  extra: readonly string[],
  taken: ReadonlySet<string>,
): readonly string[] {
  const made = Array.from({ length: 3 }, () => madeName(pick));
  const names = shuffled(pick, [...fieldNames, ...made, ...extra], {
    least: 0,
    most: oneIn(pick, 8) ? 0 : 7,
  });
  const distinct = new Map(names.map((name) => [name.toLowerCase(), name]));
  return [...distinct.values()].filter((name) => !taken.has(name));
}

function withoutUnique({ field, ...drawn }: DrawnField): DrawnField {
  return { ...drawn, field: { ...field, flags: field.flags.filter((it) => it !== 'unique') } };
}

function isVaried({ field, isMany }: DrawnField): boolean {
  return isMany && field.flags.length === 0 && field.default === undefined;
}

function isFixed({ flags, default: value }: LegalField): boolean {
  return flags.includes('readonly') && value !== undefined && value !== 'now' && value !== 'uuid';
}
