import type { App, Enum } from '../../model/app.ts';
import type { Change, Place, Value } from './change.ts';
import { type Pair, pairById } from '../pairs.ts';

/** Values of the enums that fields of both apps hold. */
export function valueChanges(before: App, after: App): readonly Change[] {
  return pairById(before.enums, after.enums).kept.flatMap((enums) => changesOf(enums, before));
}

function changesOf(enums: Pair<Enum>, app: App): readonly Change[] {
  const places = placesOf(enums.before, app);
  if (places.length === 0) return [];
  const values = pairById(enums.before.values, enums.after.values);
  const target = (value: string) => `${enums.after.name}.${value}`;
  const was = (value: string): Value => ({ enum: enums.before, value, places });
  const is = (value: string): Value => ({ enum: enums.after, value, places });
  return [
    ...values.dropped.map(({ value }): Change => ({
      kind: 'drop_value',
      target: target(value),
      before: was(value),
    })),
    ...values.kept
      .filter((pair) => pair.before.value !== pair.after.value)
      .map((pair): Change => ({
        kind: 'rename_value',
        target: target(pair.after.value),
        before: was(pair.before.value),
        after: is(pair.after.value),
      })),
    ...values.added.map(({ value }): Change => ({
      kind: 'add_value',
      target: target(value),
      after: is(value),
    })),
  ];
}

function placesOf({ name }: Enum, { models }: App): readonly Place[] {
  return models.flatMap((model) =>
    model.fields
      .filter(({ type }) => type.kind === 'enum' && type.enum === name)
      .map((field) => ({ model, field })),
  );
}
