import { present } from '../../present.ts';
import { findDefaultValue, isAssignable, isClientId } from '../../model/writing.ts';
import { spellRule } from '../../schema/spell-entry.ts';
import {
  type App,
  type EnumValue,
  type Field,
  showsIds,
  type Model,
  type LinksWithIds,
} from '../../model/app.ts';
import { listEnumValues, getId, getModel } from '../../model/lookups.ts';
import { fieldTypes } from '../../types/all.ts';
import { tsCall, tsObject, tsString, tsValues } from '../typescript.ts';

/** Prints the constructor of a field's schema: `t.Nullable(t.Text({ max: 80 }))`. */
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
  const { name, column, min, pattern, example, hidden } = field;
  const { lengths } = fieldTypes[field.type.kind];
  const max = field.max === lengths?.most ? undefined : field.max;
  const description = [
    field.description,
    ...valueDescriptions(listEnumValues(field, app)),
    ...ruleDescriptions(field),
  ]
    .filter(Boolean)
    .join('\n');
  const options = present({
    min,
    max,
    pattern: isClientId(field) ? noDots : pattern,
    default: findDefaultValue(field),
    description: description || undefined,
    examples: example === undefined ? undefined : [example],
    writeOnly: hidden || undefined,
    column: column === name ? undefined : column,
    owner: isAssignable(field, model) || undefined,
  });
  return tsObject(tsValues({ ...options, ...field.extensions }));
}

/** `.` and `..` are no names in a URL, because clients remove them. */
const noDots = String.raw`^(?!\.{1,2}$)`;

/** Describes the rules of a field for readers of the OpenAPI document. */
function ruleDescriptions({ read, write }: Pick<Field, 'read' | 'write'>): readonly string[] {
  return [
    ...(read === undefined ? [] : [`Shown to: ${spellRule(read)}.`]),
    ...(write === undefined ? [] : [`Written by: ${spellRule(write)}.`]),
  ];
}

export function valueDescriptions(values: readonly EnumValue[]): readonly string[] {
  return values.flatMap(({ value, description }) =>
    description === undefined ? [] : [`\`${value}\`: ${description}`],
  );
}

/** The TypeScript type of a value in the API: `string | null`. */
export function valueType({ type, nullable }: Field, json = fieldTypes.json.typescript): string {
  const value =
    type.kind === 'enum'
      ? `enums.${type.enum}`
      : type.kind === 'json'
        ? json
        : fieldTypes[type.kind].typescript;
  return nullable ? `${value} | null` : value;
}

/** The id lists that clients write. Those of relations with `through` are read-only. */
export const writableLinks = (model: Model): readonly LinksWithIds[] =>
  model.relations.filter(showsIds).filter(({ through }) => through === undefined);

/** The definition of the type that the ids of a model have. */
export const idDefinition = (target: string, app: App) =>
  fieldTypes[getId(getModel(target, app)).type.kind];

/** `Type.Array(t.Id())` */
export function idList(links: LinksWithIds, app: App): string {
  const description = [links.description, ...ruleDescriptions(links)].filter(Boolean).join('\n');
  const id = tsCall(idDefinition(links.target, app).call);
  return tsCall(
    'Type.Array',
    id,
    tsObject({ description: description === '' ? undefined : tsString(description) }),
  );
}

/** Fields and id lists with rules, by their names in the API. */
export function fieldsWithRules(model: Model): readonly Pick<Field, 'name' | 'read' | 'write'>[] {
  const links = model.relations.filter(showsIds).map((link) => ({ ...link, name: link.idsField }));
  return [...model.fields, ...links].filter(
    ({ read, write }) => read !== undefined || write !== undefined,
  );
}

export const hasFieldRules = ({ models }: App) =>
  models.some((model) => fieldsWithRules(model).length > 0);

/** Whether every object has a member of the name, such as `toString`, so that the field never seems absent. */
export const isObjectMember = ({ name }: Pick<Field, 'name'>) => name in Object.prototype;

/** `Omit<NewPost, 'toString'>`, or the type itself if no names are given. */
export const printOmit = (type: string, names: readonly string[]) =>
  names.length === 0 ? type : `Omit<${type}, ${names.map(tsString).join(' | ')}>`;

export const objectMembers = ({ fields }: Model): readonly string[] =>
  fields.filter(isObjectMember).map(({ name }) => name);
