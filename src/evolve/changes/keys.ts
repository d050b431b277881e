import type { Model, OrderKey } from '../../model/app.ts';
import { schemaName } from '../../naming/name.ts';
import type { Change, Keys } from './change.ts';
import { type Pair, pairById } from '../pairs.ts';

/** Unique constraints and indexes: the same over the same fields in the same directions. */
export function keyChanges(models: Pair<Model>): readonly Change[] {
  const unique = pairById(uniqueKeys(models.before), uniqueKeys(models.after));
  const indexes = pairById(indexKeys(models.before), indexKeys(models.after));
  // What goes with its field, or comes with it, needs no word of its own.
  const stays = isOver(models.after);
  const wasThere = isOver(models.before);
  return [
    ...unique.dropped.filter(stays).map((keys) => dropped('drop_unique', keys)),
    ...indexes.dropped.filter(stays).map((keys) => dropped('drop_index', keys)),
    ...unique.added.map((keys) => added('add_unique', keys)),
    ...indexes.added.filter(wasThere).map((keys) => added('add_index', keys)),
  ];
}

interface IdentifiedKeys extends Keys {
  readonly id: string;
}

/** Whether the model has all the fields of the keys. */
function isOver(model: Model): (keys: IdentifiedKeys) => boolean {
  const ids = new Set(model.fields.map(({ id }) => id));
  return (keys) => keys.fields.every((name) => ids.has(fieldId(keys.model, name)));
}

function uniqueKeys(model: Model): readonly IdentifiedKeys[] {
  return model.unique.map(({ fields }) => ({
    id: fields.map((name) => fieldId(model, name)).join(),
    model,
    fields,
  }));
}

function indexKeys(model: Model): readonly IdentifiedKeys[] {
  const idOf = ({ field, descending }: OrderKey) =>
    `${fieldId(model, field)}${descending ? ' desc' : ''}`;
  return model.indexes.map(({ keys }) => ({
    id: keys.map(idOf).join(),
    model,
    fields: keys.map(({ field }) => field),
  }));
}

function fieldId(model: Model, name: string): string {
  return model.fields.find((field) => field.name === name)?.id ?? name;
}

function added(kind: 'add_unique' | 'add_index', { model, fields }: IdentifiedKeys): Change {
  return { kind, target: keysName({ model, fields }), after: { model, fields } };
}

function dropped(kind: 'drop_unique' | 'drop_index', { model, fields }: IdentifiedKeys): Change {
  return { kind, target: keysName({ model, fields }), before: { model, fields } };
}

/** `Post.slug`, `Post.author_id+slug`; the id that ends every index goes without saying. */
function keysName({ model, fields }: Keys): string {
  return `${schemaName(model)}.${fields.filter((name) => name !== 'id').join('+')}`;
}
