import type { App, Field, Model } from '../../../model/app.ts';
import { code, tsValue } from '../../typescript.ts';
import { linksOf } from './create.ts';
import { assignedKeys, type ExampleRows, isPassword, isSent, sentKeys } from './example-rows.ts';
import { exampleValues } from './example-values.ts';
import { entries, entry, objectOf } from './printed.ts';

/** `PATCH /api/posts/:id`: bodies and answers. */
export function updateView(model: Model, rows: ExampleRows, app: App) {
  const changed = changedField(model, rows, app);
  const change = [
    ...(changed ? [entry(changed.name, tsValue(changed.value))] : []),
    ...linksOf(model, app),
  ];
  const isStamped = model.timestamps && change.length > 0;
  const nulls = model.fields.filter(
    (field) => Object.hasOwn(rows.full, field.name) && isChangeable(field, model) && field.nullable,
  );
  const fixed = model.fields
    .filter((field) => (isSent(field) && field.immutable) || isPassword(field))
    .concat(assignedKeys(model))
    .map(({ name }) => entry(name, '7'));
  const taken = takenConstraint(model, rows);
  return {
    change: objectOf(change),
    stamp: code(isStamped ? `, updated_at: ${later}` : ''),
    nulls: nulls.length > 0 && entries(nulls.map(({ name }) => ({ name, value: 'null' }))),
    refused: objectOf(['...refused', ...fixed]),
    taken: taken !== undefined && objectOf(taken.map((name) => entry(name, `full.${name}`))),
  };
}

const later = 'expect.toSatisfy((time) => time > before.updated_at)';

function isChangeable(field: Field, model: Model): boolean {
  if (field.hidden || field.immutable) return false;
  return isSent(field) || sentKeys(model).includes(field);
}

/** The first field that holds another value in a second row, and none that a constraint looks at if there is one. */
function changedField(model: Model, { full }: ExampleRows, app: App) {
  const candidates = model.fields
    .filter((field) => isChangeable(field, model) && isSent(field))
    .flatMap((field) => {
      const value = exampleValues(model, field, app)[1];
      return value === undefined || value === full[field.name] ? [] : [{ name: field.name, value }];
    });
  const isConstrained = ({ name }: { readonly name: string }) =>
    model.unique.some(({ fields }) => fields.includes(name));
  return candidates.find((each) => !isConstrained(each)) ?? candidates[0];
}

/** A constraint that the brief row breaks when it takes what the full one has. */
function takenConstraint(model: Model, { full, brief }: ExampleRows) {
  if (brief === undefined) return undefined;
  return model.unique
    .map(({ fields }) => fields)
    .find((names) =>
      names.every((name) => {
        const field = model.fields.find((each) => each.name === name);
        return Object.hasOwn(full, name) && field !== undefined && isChangeable(field, model);
      }),
    );
}
