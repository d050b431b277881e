import { type App, type Model, isPassword } from '../../../model/app.ts';
import { tsValue, tsString } from '../../typescript.ts';
import type { ExampleRows } from './example-rows.ts';
import { assignedKeys, isSent } from '../../../model/writing.ts';
import { constraintsOf } from './room.ts';
import { exampleValues } from './example-values.ts';
import { isChangeable, takenConstraint } from './constraints.ts';
import { argument, entries, entry, objectOf } from './printed.ts';
import { linksOf, madeBy } from './create.ts';
import { oddTimes } from '../times.ts';

/** `PATCH /api/posts/:id`: bodies and answers. */
export function updateView(model: Model, rows: ExampleRows, app: App) {
  const changed = changedField(model, rows, app);
  const change = [
    ...(changed ? [entry(changed.name, tsValue(changed.value))] : []),
    ...linksOf(model, app),
  ];
  const nulls = model.fields.filter(
    (field) => Object.hasOwn(rows.full, field.name) && isChangeable(field, model) && field.nullable,
  );
  const fixed = model.fields
    .filter((field) => (isSent(field) && field.immutable) || isPassword(field))
    .concat(assignedKeys(model))
    .map(({ name }) => entry(name, '7'));
  const taken = takenConstraint(model, rows);
  const stamp = oddTimes(model, app)?.stamp;
  const make = `() => api.make.${model.names.variable}`;
  return {
    isTaken: taken !== undefined,
    argument: argument({
      path: 'path',
      make: `${make}(full)`,
      before: 'full',
      change: madeBy(change),
      nulls:
        nulls.length > 0 ? entries(nulls.map(({ name }) => ({ name, value: 'null' }))) : undefined,
      refused: objectOf(['...refused', ...fixed]),
      other: taken && `${make}(brief)`,
      taken: taken && objectOf(taken.map((name) => entry(name, `full.${name}`))),
      stamp: stamp && tsString(stamp),
    }),
  };
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
    constraintsOf(model).some((fields) => fields.includes(name));
  return candidates.find((each) => !isConstrained(each)) ?? candidates[0];
}
