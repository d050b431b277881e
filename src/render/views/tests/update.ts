import type { App, Model } from '../../../model/app.ts';
import { tsString } from '../../typescript.ts';
import type { ExampleRows } from './example-rows.ts';
import { isCreatable, isUpdatable, clientValues } from '../../../model/writing.ts';
import { exampleValues, type Values } from './example-values.ts';
import { findTaken } from './constraints.ts';
import { printArgument, spread, printEntry, printObject, printEntries } from './print.ts';
import { printLinks, madeBy } from './create.ts';
import { findOddTimes } from '../times.ts';
import { isConstrained } from './unique-values.ts';

/** Prints the test of `PATCH /api/posts/:id`: bodies and responses. */
export function updateView(model: Model, rows: ExampleRows, app: App) {
  const nulls = model.fields
    .filter((it) => Object.hasOwn(rows.full, it.name) && isUpdatable(it) && it.nullable)
    .map(({ name }) => printEntry(name, 'null'));
  const fixed = model.fields
    .filter((field) => isCreatable(field, model) && !isUpdatable(field))
    .map(({ name }) => printEntry(name, '7'));
  const taken = findTaken(model, rows);
  const stamp = findOddTimes(model, app)?.stamp;
  const make = `() => api.make.${model.names.variable}`;
  return {
    isTaken: taken !== undefined,
    argument: printArgument({
      path: 'path',
      make: `${make}(full)`,
      before: 'full',
      change: madeBy([...printEntries(chooseChange(model, app)), ...printLinks(model, app)]),
      nulls: nulls.length > 0 ? printObject(nulls) : undefined,
      refused: printObject([spread('refused'), ...fixed]),
      other: taken && `${make}(brief)`,
      taken: taken && printObject(taken.map((name) => printEntry(name, `full.${name}`))),
      stamp: stamp && tsString(stamp),
    }),
  };
}

/** A new value for the first field that has another one, preferably a field without constraints; empty if none has. */
export function chooseChange(model: Model, app: App): Values {
  const candidates = clientValues(model)
    .filter((field) => isUpdatable(field) && !field.hidden)
    .flatMap((field) => {
      const [, value] = exampleValues(model, field, app);
      return value === undefined ? [] : [{ name: field.name, value }];
    });
  const changed = candidates.find(({ name }) => !isConstrained(name, model)) ?? candidates[0];
  return changed === undefined ? {} : { [changed.name]: changed.value };
}
