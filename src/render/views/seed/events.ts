import { spaced } from '../../../naming/name.ts';
import { type App, type Field, findFieldFor, type Model, valuesOf } from '../../../model/app.ts';
import { tsCall, tsKey, tsObject, tsString, tsValue } from '../../typescript.ts';
import { orderMoments, isPastTense, type Reached, stops, type Story, storyOf } from './moments.ts';
import type { Use } from './key.ts';
import { isBirth, isDistinct } from './numbers.ts';
import { eventOf } from './stories.ts';
import { preset, valueCall } from './values.ts';

/** The moments of a row, drawn together so that they are in order and agree with its state. */
export function eventsOf(model: Model, app: App, use: Use) {
  const own = model.fields.filter((field) => field.role === 'declared' && isInStory(field, model));
  const times = own.filter(({ type }) => type.kind === 'time');
  const moments = own.flatMap((field) => momentOf(field, model));
  const { story, state: stateOfStory } = storyAndState(moments, model, app);
  const isNamed = story.byState !== undefined && story.moments.length > 0;
  const state = isNamed ? stateOfStory : undefined;
  const call = storyCall(story, isNamed);
  const hours = timesCall(times);
  const stamps = stampsOf(model, call && 'moments');
  if (own.length > 0 || stamps.lines.length > 0) use('draw');
  // Everything else that needs a moment is printed before these.
  const asked = new Set(stamps.lines.length > 0 ? ['moments'] : []);
  const isSpoken = () => call !== undefined && asked.has('moments');
  return {
    fields: new Set(own),
    /** In their order, and times of a day. */
    moments: [...story.moments, ...orderMoments(times.map(hourOf))],
    /** What holds a moment. */
    speakOf: (name: string) => {
      const holder = times.some(({ column }) => column === name) ? 'hours' : 'moments';
      asked.add(holder);
      return `${holder}.${name}`;
    },
    isState: (field: Field) => field === state,
    /** What has to have happened before there is such a value. */
    before: (field: Field) => (field.nullable ? happenedBefore(field, story) : undefined),
    statements: () => [
      ...(state ? stateLines(story, preset(state, valueCall(model, state, app, use))) : []),
      ...(isSpoken() ? [`const moments = ${call};`] : []),
      ...stamps.statements,
      ...(asked.has('hours') ? [`const hours = ${hours};`] : []),
    ],
    lines: () => [
      ...(times.length > 0 ? [`...${asked.has('hours') ? 'hours' : hours},`] : []),
      ...(call === undefined ? [] : [`...${isSpoken() ? 'moments' : call},`]),
      ...stamps.lines,
    ],
  };
}

/** The state that the row is in, and how far it has come by each. */
function stateLines({ byState = {} }: Story, drawn: string): readonly string[] {
  const reached = Object.entries(byState).map(([state, all]) => [state, reachedCall(all)]);
  return [`const state = ${drawn};`, `const reached = ${tsObject(Object.fromEntries(reached))};`];
}

/** The story of the first state that has one, or of the moments by themselves. */
function storyAndState(moments: Parameters<typeof storyOf>[0], model: Model, app: App) {
  const { human } = model.names;
  const stories = model.fields
    .filter((field) => isState(field, model))
    .map((field) => {
      const values = valuesOf(field, app).map(({ value }) => value);
      return { state: field, story: storyOf(moments, values, human) };
    });
  const plain = { state: undefined, story: storyOf(moments, undefined, human) };
  return stories.find((it) => it.story.byState !== undefined) ?? plain;
}

function happenedBefore({ column }: Field, { moments }: Story) {
  const words = spaced(column);
  const happened = moments.filter(({ isOptional, name }) => isOptional && isPastTense({ name }));
  const [, reason] = /^(.*) (reason|note)$/.exec(words) ?? [];
  if (reason !== undefined) return happened.find(({ name }) => eventOf(name) === eventOf(reason));
  if (!outcomes.test(words)) return undefined;
  return happened.findLast(({ name }) => !stops.has(eventOf(name)));
}

const outcomes = /^(grade|outcome|result|score|yield( \w+)?|minutes|calories)$/;

/** `draw.story(reached[state], { sent_at: 'datetime?' })`; undefined for a row to which nothing happens. */
function storyCall({ moments, reached }: Story, isNamed: boolean): string | undefined {
  if (moments.length === 0) return undefined;
  const events = moments.map(({ name, type, isOptional, gap, isSeldom }) => {
    const words = [`${type}${isOptional ? '?' : ''}`, gap && `${gap} later`, isSeldom && 'seldom'];
    return [name, tsString(words.filter(Boolean).join(', '))];
  });
  const far = isNamed ? 'reached[state]' : reachedCall(reached);
  return tsCall('draw.story', far, tsObject(Object.fromEntries(events)));
}

/** Moments of one story: no births, and none that must be unique, which need all of the past. */
function isInStory(field: Field, model: Model): boolean {
  const isMoment = ['date', 'time', 'datetime'].includes(field.type.kind);
  return isMoment && !isDistinct(field, model) && !isBirth(field);
}

function isState(field: Field, model: Model): boolean {
  return field.type.kind === 'enum' && !field.nullable && !isDistinct(field, model);
}

function momentOf({ column, type, nullable, default: initial }: Field, { names }: Model) {
  if (type.kind !== 'date' && type.kind !== 'datetime') return [];
  const isPast = initial?.kind === 'now';
  const isStay =
    /\bcheck(ed)? ?out\b/.test(spaced(column)) &&
    /\b(stay|booking|reservation)\b/.test(names.human);
  return [{ name: column, type: type.kind, isOptional: nullable, isPast, isStay }];
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
  const usual = orderMoments(named).map(({ column, default: initial }) => [
    column,
    initial?.kind === 'literal' ? tsValue(initial.value) : "''",
  ]);
  // Whoever opens does so for longer than what starts and ends.
  const isShort = times.every(({ column }) =>
    /^(starts?|begins?|ends?|finish(es)?)\b/.test(spaced(column)),
  );
  return tsCall('draw.times', tsObject(Object.fromEntries(usual)), isShort ? '8' : undefined);
}

const hourOf = ({ column }: Field) =>
  ({
    name: column,
    type: 'datetime',
    isOptional: false,
    isPast: false,
    gap: 'hours',
    isSeldom: false,
  }) as const;

function stampsOf(model: Model, moments: string | undefined) {
  const call = tsCall('draw.stamps', moments);
  const created = findFieldFor(model, 'created_at')?.column;
  const updated = findFieldFor(model, 'updated_at')?.column;
  if (created === 'created_at' && updated === 'updated_at') {
    return { statements: [], lines: [`...${call},`] };
  }
  const lines = [...stampLine(created, 'created_at'), ...stampLine(updated, 'updated_at')];
  return { statements: lines.length > 0 ? [`const made = ${call};`] : [], lines };
}

const stampLine = (column: string | undefined, key: string) =>
  column === undefined ? [] : [`${tsKey(column)}: made.${key},`];
