import { present } from '../../present.ts';
import { isAssignableOwner, isClientId } from '../../model/writing.ts';
import { spellRule } from '../../schema/spell-entry.ts';
import {
  type App,
  type EnumValue,
  type Field,
  showsIds,
  type Model,
  type LinksWithIds,
} from '../../model/app.ts';
import { findModel, valuesOf } from '../../model/lookups.ts';
import { keyType } from '../../model/fields.ts';
import { fieldTypes } from '../../types/all.ts';
import { tsCall, tsObject, tsString, tsValues } from '../typescript.ts';

/** `t.Nullable(t.Text({ max: 80 }))` */
export function typeCall(field: Field, model: Model, app: App): string {
  const { type, nullable } = field;
  const { call: constructor, details } = fieldTypes[type.kind];
  const call = tsCall(
    constructor,
    ...Object.values(details?.(type) ?? {}),
    typeOptions(field, model, app),
  );
  return nullable ? tsCall('t.Nullable', call) : call;
}

function typeOptions(field: Field, model: Model, app: App): string {
  const { name, column, min, pattern, example, default: initial, hidden } = field;
  const { lengths } = fieldTypes[field.type.kind];
  const max = field.max === lengths?.most ? undefined : field.max;
  const description = [
    field.description,
    ...valueDescriptions(valuesOf(field, app)),
    ...ruleDescriptions(field),
  ]
    .filter(Boolean)
    .join('\n');
  const options = present({
    min,
    max,
    pattern: isClientId(field) ? noDots : pattern,
    default: initial?.kind === 'literal' ? initial.value : undefined,
    description: description || undefined,
    examples: example === undefined ? undefined : [example],
    writeOnly: hidden || undefined,
    column: column === name ? undefined : column,
    owner: isAssignableOwner(field, model) || undefined,
  });
  return tsObject(tsValues({ ...options, ...field.extensions }));
}

/** Of an address, `.` and `..` are no names: clients take them away before they send it. */
const noDots = String.raw`^(?!\.{1,2}$)`;

/** Who else, for the reader of the document. */
function ruleDescriptions({ read, write }: Pick<Field, 'read' | 'write'>): readonly string[] {
  return [
    ...(read === undefined ? [] : [`Shown to: ${spellRule(read)}.`]),
    ...(write === undefined ? [] : [`Written by: ${spellRule(write)}.`]),
  ];
}

/** The descriptions of values that have one. */
export function valueDescriptions(values: readonly EnumValue[]): readonly string[] {
  return values.flatMap(({ value, description }) =>
    description === undefined ? [] : [`\`${value}\`: ${description}`],
  );
}

/** The type of a value on the wire: `string | null`. */
export function valueType({ type, nullable }: Field, json = fieldTypes.json.typescript): string {
  const value =
    type.kind === 'enum'
      ? `enums.${type.enum}`
      : type.kind === 'json'
        ? json
        : fieldTypes[type.kind].typescript;
  return nullable ? `${value} | null` : value;
}

/** The lists of ids that a client writes; those of a model between are read only. */
export const sentLinks = (model: Model): readonly LinksWithIds[] =>
  model.relations.filter(showsIds).filter(({ through }) => through === undefined);

/** `Type.Array(t.Id())` */
export function idList(links: LinksWithIds, app: App): string {
  const target = findModel(links.target, app);
  const description = [links.description, ...ruleDescriptions(links)].filter(Boolean).join('\n');
  const id = tsCall(fieldTypes[keyType(target?.idType ?? 'int').kind].call);
  return tsCall(
    'Type.Array',
    id,
    tsObject({ description: description === '' ? undefined : tsString(description) }),
  );
}

/** The fields and lists of ids that have rules of their own, as the API calls them. */
export function ruledNames(model: Model): readonly Pick<Field, 'name' | 'read' | 'write'>[] {
  const links = model.relations.filter(showsIds).map((link) => ({ ...link, name: link.idsField }));
  return [...model.fields, ...links].filter(
    ({ read, write }) => read !== undefined || write !== undefined,
  );
}

/** Whether any field has a rule of its own. */
export const hasFieldRules = ({ models }: App) =>
  models.some((model) => ruledNames(model).length > 0);

/** Whether every object has the name, such as `toString`, so that the field never seems absent. */
export const isInherited = ({ name }: Pick<Field, 'name'>) => name in Object.prototype;

export const inheritedNames = ({ fields }: Model): readonly string[] =>
  fields.filter(isInherited).map(({ name }) => name);
