import type { DraftField, DraftRelation } from '../draft.ts';
import { legalName } from '../legal-name.ts';
import type { Notebook } from '../notes.ts';
import { idsField, keyName } from '../../naming/name.ts';
import type { Naming } from '../../schema/language.ts';
import type { Engine } from '../../types/field-type.ts';
import { convertField } from './fields.ts';
import { keyOf } from './keys.ts';
import { otherColumn } from './naming.ts';
import type { PrismaField, PrismaModel } from './schema.ts';
import type { ConvertedRelations } from './relations.ts';
import { noteBuiltIn } from './users.ts';

export interface ModelScope {
  readonly related: ConvertedRelations;
  readonly enums: ReadonlySet<string>;
  readonly naming: Naming;
  readonly database: Engine;
  readonly notes: Notebook;
}

/** The columns that are neither keys, times, nor built in. */
export function convertFields(
  model: PrismaModel,
  {
    related: { relations, keys },
    enums,
    naming,
    database,
    notes,
    kept,
    builtIn,
  }: ModelScope & Readonly<Record<'kept' | 'builtIn', readonly string[]>>,
): ReadonlyMap<string, DraftField> {
  const derived = new Set([
    'id',
    ...[...relations].map((it) => derivedName(it, naming).toLowerCase()),
  ]);
  const isTaken = ({ name, type }: PrismaField) =>
    keys.has(name) ||
    kept.includes(name) ||
    (!enums.has(type) && /^[A-Z]/.test(type) && isRelation(model, name));
  const fields = new Map<string, DraftField>();
  for (const field of model.fields.filter((it) => !isTaken(it))) {
    if (builtIn.includes(field.name)) {
      noteBuiltIn(field, notes);
      continue;
    }
    const converted = convertField(field, { model, enums, database, notes });
    if (converted === undefined) continue;
    const legal = legalName(field.name);
    const name = derived.has(legal.toLowerCase()) ? `${legal}Value` : legal;
    if (name !== field.name)
      notes.changed(field.place, `${model.name}.${field.name}`, `\`${name}\``);
    const column = otherColumn(name, field, naming);
    const isKey = field === keyOf(model);
    fields.set(name, { ...converted, column, ...(isKey && { flags: ['unique'] }) });
  }
  return fields;
}

/** What a relation is called in JSON. */
function derivedName([name, { many }]: readonly [string, DraftRelation], { api }: Naming): string {
  return many ? idsField(name, api) : keyName(name, api);
}

const scalars = new Set(
  'String Int BigInt Float Decimal Boolean DateTime Json Bytes Unsupported'.split(' '),
);

function isRelation(model: PrismaModel, name: string): boolean {
  const type = model.fields.find((field) => field.name === name)?.type;
  return type !== undefined && !scalars.has(type);
}
