import type { App, Enum, Field, JoinTable, Model, OrderKey } from '../../model/app.ts';
import { getField, getId } from '../../model/lookups.ts';
import { nameOfLinks, relationOfLinks } from '../../model/carried-ids.ts';
import { renameInConditions } from '../../model/rename-in-rules.ts';
import { spell } from '../../schema/spell-entry.ts';
import { type LinkedKey, listLinkedKeys } from '../keys-as-links.ts';
import { isRekeyed, type Pair, pairById } from '../pairs.ts';
import {
  added,
  type Change,
  compareThings,
  type Difference,
  dropped,
  renamedTo,
  type KeyLinked,
  type FieldGroup,
  groupName,
  type ModelChange,
  type ModelField,
  fieldPath,
  type Value,
  valueName,
} from './change.ts';
import { fieldDifferences } from './field-changes.ts';

/** The differences between the databases of two apps. Things are paired by their ids. */
export function listChanges(before: App, after: App): readonly Change[] {
  const apps = { before, after };
  const models = pairById(before.models, after.models);
  const links = pairById(before.joinTables, after.joinTables);
  const linked = listLinkedKeys(apps);
  const isNew = (join: JoinTable) => !linked.some((it) => it.join === join);
  return [
    ...models.dropped.map((it) => dropped('drop_model', it.name, it)),
    ...links.dropped.map((it) => dropped('drop_links', nameOfLinks(it, before), it)),
    ...models.kept.flatMap((pair) => modelChanges(pair, apps)),
    ...valueChanges(apps),
    ...models.added.map((it) => added('add_model', it.name, it)),
    ...links.kept.flatMap((pair) => compareThings(pair, nameOfLinks, linksDifferences, apps)),
    ...linked.map((it) => linkChange(it, apps)),
    ...links.added.filter(isNew).map((it) => {
      const named = { ...it, relation: relationOfLinks(it, after) };
      return added('add_links', nameOfLinks(it, after), named);
    }),
  ];
}

function linkChange({ model, field, join }: LinkedKey, { after }: Pair<App>): KeyLinked {
  const key = { model, field };
  const target = nameOfLinks(join, after);
  const what = `takes the keys of ${fieldPath(key)} for its links`;
  return { ...added('link_key', target, join, what), before: key };
}

const linksDifferences: readonly Difference<'rename_links', JoinTable>[] = [
  [
    'rename_links',
    ({ before, after }) => before.table !== after.table,
    ({ target, after }) => `The links of ${target} move to the table ${after.table}.`,
  ],
];

function modelChanges(models: Pair<Model>, apps: Pair<App>): readonly Change[] {
  const { before, after } = models;
  const fields = pairById(before.fields, after.fields);
  const isGone = ({ id }: Field) => apps.after.joinTables.every((join) => join.id !== id);
  const asOld = (field: Field): ModelField => ({ model: before, field });
  const asNew = (field: Field): ModelField => ({ model: after, field });
  return [
    ...compareThings(models, ({ name }) => name, modelDifferences, apps),
    ...fields.dropped
      .filter(isGone)
      .map((it) => dropped('drop_field', fieldPath(asNew(it)), asOld(it))),
    ...fields.kept.flatMap((pair) => {
      const fieldPair = { before: asOld(pair.before), after: asNew(pair.after) };
      return compareThings(fieldPair, fieldPath, fieldDifferences, apps);
    }),
    ...fields.added.map((it) => added('add_field', fieldPath(asNew(it)), asNew(it))),
    ...groupChanges({ before: renameInConditions(before, apps.before, apps.after), after }),
  ];
}

const modelDifferences: readonly Difference<ModelChange, Model>[] = [
  ['rename_model', isModelRenamed, renamedTo],
  [
    'move_table',
    (models) => !isModelRenamed(models) && models.before.table !== models.after.table,
    ({ target, after }) => `The table of ${target} is now called ${after.table}.`,
  ],
  ['change_id', isRekeyed, ({ target, after }) => `The ids of ${target} become ${idWords(after)}.`],
];

function idWords(model: Model): string {
  const { kind } = getId(model).type;
  if (kind === 'id') return 'numbers';
  return kind === 'uuid' ? 'uuids' : 'texts';
}

function isModelRenamed({ before, after }: Pair<Model>): boolean {
  return before.name !== after.name;
}

/** Changes of enum values, for enums of fields in both apps. */
function valueChanges(apps: Pair<App>): readonly Change[] {
  return pairById(apps.before.enums, apps.after.enums).kept.flatMap((enums) => {
    const fields = enumFields(enums.before, apps.before);
    if (fields.length === 0) return [];
    const values = pairById(valuesOfEnum(enums.before, fields), valuesOfEnum(enums.after, fields));
    return [
      ...values.dropped.map((it) => dropped('drop_value', `${enums.after.name}.${it.value}`, it)),
      ...values.kept.flatMap((pair) => compareThings(pair, valueName, valueDifferences, apps)),
      ...values.added.map((it) => added('add_value', valueName(it), it)),
    ];
  });
}

const valueDifferences: readonly Difference<'rename_value', Value>[] = [
  ['rename_value', ({ before, after }) => before.value !== after.value, renamedTo],
];

function enumFields({ name }: Enum, { models }: App): readonly ModelField[] {
  return models.flatMap((model) =>
    model.fields
      .filter(({ type }) => type.kind === 'enum' && type.enum === name)
      .map((field) => ({ model, field })),
  );
}

function valuesOfEnum(of: Enum, fields: readonly ModelField[]): readonly Value[] {
  return of.values.map(({ id, value }) => ({ id, enum: of, value, fields }));
}

/** Changes of unique constraints, indexes and checks. They are equal if fields and directions are. */
function groupChanges(models: Pair<Model>): readonly Change[] {
  const keys = pairById(listFieldGroups(models.before), listFieldGroups(models.after));
  // A constraint that is added or dropped with its field needs no sentence.
  const gone = keys.dropped.filter((it) => isOver(models.after, it));
  const come = keys.added.filter((it) => it.kind !== 'index' || isOver(models.before, it));
  return [
    ...gone.map((it) => dropped(`drop_${it.kind}`, groupName(it), it, groupWords[it.kind].gone)),
    ...come.map((it) => added(`add_${it.kind}`, groupName(it), it, groupWords[it.kind].come)),
  ];
}

const groupWords = {
  unique: { come: 'is unique', gone: 'need not be unique' },
  index: { come: 'is indexed', gone: 'is no longer indexed' },
  check: { come: 'are checked', gone: 'are no longer checked' },
};

function listFieldGroups(model: Model): readonly FieldGroup[] {
  const idOf = ({ field, descending }: OrderKey) =>
    `${getField(model, field).id}${descending ? ' desc' : ''}`;
  const unique = model.unique.map(({ fields, where }): FieldGroup => {
    const ids = fields.map((name) => getField(model, name).id);
    return { id: `unique ${ids.join()}${spell(' if', where)}`, kind: 'unique', model, fields };
  });
  const indexes = model.indexes.map(({ keys, where }): FieldGroup => {
    const fields = keys.map(({ field }) => field);
    const id = `index ${keys.map(idOf).join()}${spell(' if', where)}`;
    return { id, kind: 'index', model, fields };
  });
  const checks = model.checks.map(({ left, operator, right }): FieldGroup => {
    const id = `check ${getField(model, left).id} ${operator} ${getField(model, right).id}`;
    return { id, kind: 'check', model, fields: [left, right] };
  });
  return [...unique, ...indexes, ...checks];
}

function isOver({ fields }: Model, keys: FieldGroup): boolean {
  return keys.fields.every((name) => fields.some(({ id }) => id === getField(keys.model, name).id));
}
