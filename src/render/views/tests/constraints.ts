import { findField, type Model } from '../../../model/app.ts';
import { fieldTypes } from '../../../types/all.ts';
import { type Code, tsValue } from '../../typescript.ts';
import type { ExampleRows } from './example-rows.ts';
import {
  findOwnerKey,
  findPreset,
  isChangeable,
  isRequired,
  isSent,
} from '../../../model/writing.ts';
import { constraintsOf } from './room.ts';
import { keeps } from './in-order.ts';
import { entry, printObject } from './printed.ts';

/** Whether a constraint, which may be limited to some rows, applies to a row. */
export function isMeant(
  fields: readonly string[],
  row: ExampleRows['full'],
  model: Model,
): boolean {
  return whereOf(fields, model).every(({ path, operator, values }) => {
    const value = row[path.join('.')] ?? (isLed(path[0], model) ? '' : null);
    if (operator === 'is null') return value === null;
    if (operator === 'is not null') return value !== null;
    const texts = values.map((it) => (it.kind === 'literal' ? it.text : ''));
    return (operator === '=' || operator === 'in') && texts.includes(String(value));
  });
}

/** Whether every row that a test has created leads somewhere by the relation or key of this name. */
const isLed = (name: string | undefined, model: Model) =>
  model.fields.some(
    (field) =>
      field.role === 'key' &&
      (field.name === name || field.relation === name) &&
      (isRequired(field) || field.name === findOwnerKey(model)),
  );

const whereOf = (fields: readonly string[], { unique }: Model) =>
  unique.find((constraint) => constraint.fields === fields)?.where ?? [];

/** For each check, the values of its fields in the full row, swapped, if that breaks only this check. */
export function unorderedValues(model: Model, { full }: ExampleRows): readonly Code[] {
  return model.checks.flatMap(({ left, right }) => {
    const exchanged = { ...full, [left]: full[right] ?? null, [right]: full[left] ?? null };
    const isFit = model.fields
      .filter(({ name }) => name === left || name === right)
      .every(
        (field) =>
          isSent(field) &&
          fieldTypes[field.type.kind].misfit(exchanged[field.name] ?? null, field) === undefined,
      );
    const broken = model.checks.filter((check) => !keeps(exchanged, check));
    if (!isFit || broken.length !== 1) return [];
    return [
      printObject([left, right].map((name) => entry(name, tsValue(exchanged[name] ?? null)))),
    ];
  });
}

/** The constraints that an admin breaks who sends the full row twice. */
export function repeatedConstraints(model: Model, { full, secrets }: ExampleRows) {
  const isSame = (name: string) => {
    const field = findField(model, name);
    if (field === undefined) return false;
    if (Object.hasOwn(full, name) || Object.hasOwn(secrets, name)) return true;
    if (field.role === 'key') return isRequired(field) || name === findOwnerKey(model);
    return findPreset(field) !== undefined;
  };
  return constraintsOf(model).filter((names) => names.every(isSame));
}

/** A constraint that the brief row breaks when it takes what the full one has. */
export function takenConstraint(model: Model, { full, brief }: ExampleRows) {
  if (brief === undefined) return undefined;
  const ofAllRows = constraintsOf(model).filter((names) => whereOf(names, model).length === 0);
  return ofAllRows.find((names) =>
    names.every((name) => {
      const field = findField(model, name);
      return Object.hasOwn(full, name) && field !== undefined && isChangeable(field);
    }),
  );
}
