import type { Model } from '../../../model/app.ts';
import { findField } from '../../../model/lookups.ts';
import { fieldTypes } from '../../../types/all.ts';
import { tsValue } from '../../typescript.ts';
import type { ExampleRows } from './example-rows.ts';
import {
  findOwnerKey,
  findDefaultValue,
  isUpdatable,
  isRequired,
  isWritable,
} from '../../../model/writing.ts';
import { listUniqueConstraints } from './unique-values.ts';
import { meetsCheck } from './values-in-order.ts';
import { printEntry, printObject } from './print.ts';

/** For each check, the values of its fields in the full row, swapped, if only this check fails then. */
export function unorderedValues(model: Model, { full }: ExampleRows): readonly string[] {
  return model.checks.flatMap(({ left, right }) => {
    const exchanged = { ...full, [left]: full[right] ?? null, [right]: full[left] ?? null };
    const isFit = model.fields
      .filter(({ name }) => name === left || name === right)
      .every(
        (field) =>
          isWritable(field) &&
          fieldTypes[field.type.kind].flawOf(exchanged[field.name] ?? null, field) === undefined,
      );
    const broken = model.checks.filter((check) => !meetsCheck(exchanged, check));
    if (!isFit || broken.length !== 1) return [];
    return [
      printObject([left, right].map((name) => printEntry(name, tsValue(exchanged[name] ?? null)))),
    ];
  });
}

/** The constraint that fails if an admin sends the full row twice; undefined if several would. */
export function findRepeated(model: Model, { full, secrets }: ExampleRows) {
  const isSame = (name: string) => {
    const field = findField(model, name);
    if (field === undefined) return false;
    if (Object.hasOwn(full, name) || Object.hasOwn(secrets, name)) return true;
    if (field.role === 'key') return isRequired(field) || name === findOwnerKey(model);
    return findDefaultValue(field) !== undefined;
  };
  const [repeated, ...others] = listUniqueConstraints(model).filter(({ fields }) =>
    fields.every(isSame),
  );
  return others.length === 0 && repeated?.where === undefined ? repeated?.fields : undefined;
}

/** A constraint that fails if the brief row takes values of the full row. */
export function findTaken(model: Model, { full, brief }: ExampleRows) {
  if (brief === undefined) return undefined;
  const isTaken = (name: string) => {
    const field = findField(model, name);
    return Object.hasOwn(full, name) && field !== undefined && isUpdatable(field);
  };
  return listUniqueConstraints(model).find(
    ({ fields, where }) => where === undefined && fields.every(isTaken),
  )?.fields;
}
