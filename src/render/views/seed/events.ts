import { type App, type Field, fieldFor, type Model, valuesOf } from '../../../model/app.ts';
import { tsCall, tsKey, tsObject, tsString, tsValue } from '../../typescript.ts';
import { inOrder, type Reached, type Story, storyOf } from './moments.ts';
import { isDistinct, preset, valueCall } from './values.ts';
import { spaced } from './words.ts';

/** What happens to a row: its moments together, for they are in order and agree with its state. */
export function eventsOf(model: Model, app: App) {
  const own = model.fields.filter((field) => field.role === 'declared' && isTold(field, model));
  const times = own.filter(({ type }) => type.kind === 'time');
  const state = model.fields.find((field) => isState(field, model));
  const values = state && valuesOf(state, app).map(({ value }) => value);
  const told = storyOf(own.flatMap(momentOf), values);
  const isNamed = told.byState !== undefined && told.moments.length > 0;
  const story = storyCall(told, isNamed);
  const stamps = stampsOf(model, story && 'moments');
  const isSpoken = story !== undefined && stamps.lines.length > 0;
  return {
    fields: new Set(own),
    isState: (field: Field) => isNamed && field === state,
    statements: [
      ...(isNamed && state !== undefined
        ? [
            `const state = ${preset(state, valueCall(model, state, app))};`,
            `const reached = ${tsObject(mapped(told.byState, reachedCall))};`,
          ]
        : []),
      ...(isSpoken ? [`const moments = ${story};`] : []),
      ...stamps.statements,
    ],
    lines: [
      ...(times.length > 0 ? [`...${timesCall(times)},`] : []),
      ...(story === undefined ? [] : [`...${isSpoken ? 'moments' : story},`]),
      ...stamps.lines,
    ],
  };
}

/** `draw.story(reached[state], { sent_at: 'datetime?' })`; undefined for a row to which nothing happens. */
function storyCall({ moments, reached }: Story, isNamed: boolean): string | undefined {
  if (moments.length === 0) return undefined;
  const events = moments.map(({ name, type, isOptional, later }) => [
    name,
    tsString(`${type}${isOptional ? '?' : ''}${later}`),
  ]);
  const far = isNamed ? 'reached[state]' : reachedCall(reached);
  return tsCall('draw.story', far, tsObject(Object.fromEntries(events)));
}

/** What belongs to one story: no births, and nothing that no two rows may share, for which there is room in the past alone. */
function isTold(field: Field, model: Model): boolean {
  const isMoment = ['date', 'time', 'datetime'].includes(field.type.kind);
  return isMoment && !isDistinct(field, model) && !isBirth(field);
}

const isBirth = ({ column, type }: Field) =>
  type.kind !== 'time' &&
  /\b(birth|birthday|birthdate|born|dob|founded|established)\b/.test(spaced(column));

function isState(field: Field, model: Model): boolean {
  return field.type.kind === 'enum' && !field.nullable && !isDistinct(field, model);
}

function momentOf({ column, type, nullable, default: initial }: Field) {
  if (type.kind !== 'date' && type.kind !== 'datetime') return [];
  const isPast = initial?.kind === 'now';
  return [{ name: column, type: type.kind, isOptional: nullable, isPast }];
}

/** `draw.oneOf([[1], [2]])` */
function reachedCall(all: readonly Reached[]): string {
  const printed = all.map(([past, ...more]) =>
    more.length === 1 && more[0] === past ? `[${past}]` : `[${[past, ...more].join(', ')}]`,
  );
  const [only = '[0]', ...others] = new Set(printed);
  return others.length === 0 ? only : tsCall('draw.oneOf', `[${printed.join(', ')}]`);
}

/** `draw.times({ opens_at: '09:30:00.000', closes_at: '' })` */
function timesCall(times: readonly Field[]): string {
  const named = times.map((field) => ({ ...field, name: field.column }));
  const usual = inOrder(named).map(({ column, default: initial }) => [
    column,
    initial?.kind === 'literal' ? tsValue(initial.value) : "''",
  ]);
  return tsCall('draw.times', tsObject(Object.fromEntries(usual)));
}

function stampsOf(model: Model, moments: string | undefined) {
  const call = tsCall('draw.stamps', moments);
  const created = fieldFor(model, 'created_at')?.column;
  const updated = fieldFor(model, 'updated_at')?.column;
  if (created === 'created_at' && updated === 'updated_at') {
    return { statements: [], lines: [`...${call},`] };
  }
  const lines = [...stampLine(created, 'created_at'), ...stampLine(updated, 'updated_at')];
  return { statements: lines.length > 0 ? [`const made = ${call};`] : [], lines };
}

const stampLine = (column: string | undefined, key: string) =>
  column === undefined ? [] : [`${tsKey(column)}: made.${key},`];

function mapped<Value>(
  values: Readonly<Record<string, Value>>,
  print: (value: Value) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, print(value)]));
}
