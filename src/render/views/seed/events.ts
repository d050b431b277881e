import { spacedWords } from '../../../naming/name.ts';
import type { App, Field, Model } from '../../../model/app.ts';
import { findFieldByRole, listEnumValues } from '../../../model/lookups.ts';
import { tsCall, tsObject, tsString, tsValue } from '../../typescript.ts';
import { type Moment, orderMoments } from './moments.ts';
import { isBirth, isDistinct } from './numbers.ts';
import type { RowLine } from './print-row.ts';
import { type Progress, findProgressByState, listProgress } from './progress.ts';
import { readEvent, isEventKind } from './stories.ts';
import { drawCall } from './values.ts';

/** Draws the times of a row together, so that they are in order and fit its state. */
export function drawEvents(model: Model, app: App) {
  const own = model.fields.filter((field) => field.role === 'declared' && isInStory(field, model));
  const about = model.names.human;
  const times = orderMoments(own.filter(isTime), about);
  const days = own.filter((it) => !isTime(it));
  const moments = orderMoments(days, about);
  const state = findState(moments, model, app);
  const drawn = [
    ...(times.length > 0 ? [['hours', timesCall(times)] as const] : []),
    ...(moments.length > 0 ? [['moments', storyCall(moments, state)] as const] : []),
  ];
  const all = moments.length > 0 ? 'moments' : undefined;
  return {
    fields: new Set(own),
    state: state?.field,
    /** In order, then times of day. */
    moments: [...moments, ...times],
    /** The event that has to have happened before a field has a value. */
    before: (field: Field) => findEventBefore(field, moments),
    variables: [
      ...(state === undefined ? [] : stateVariables(state, model, app)),
      ...drawn,
      ['made', tsCall('draw.stamps', all)] as const,
    ],
    lines: [...drawn.map(([variable, value]) => ({ value, variable })), ...stampLines(model, all)],
  };
}

const isTime = ({ type }: Field) => type.kind === 'time';

export const momentVariable = ({ name, field }: Moment) =>
  `${isTime(field) ? 'hours' : 'moments'}.${name}`;

/** The first enum field whose values show how far a row has come. */
function findState(moments: readonly Moment[], model: Model, app: App) {
  for (const field of model.fields.filter((it) => isState(it, model))) {
    const states = listEnumValues(field, app).map(({ value }) => value);
    const reached = findProgressByState(moments, states);
    if (reached !== undefined) return { field, ...reached };
  }
  return undefined;
}

type StateField = NonNullable<ReturnType<typeof findState>>;

/** The variables of a row's state, and of its progress in each state. */
function stateVariables({ field, byState }: StateField, model: Model, app: App) {
  const reached = Object.entries(byState).map(([state, all]) => [state, progressCall(all)]);
  return [
    ['state', drawCall(model, field, app)],
    ['reached', tsObject(Object.fromEntries(reached))],
  ] as const;
}

/** `draw.story(reached[state], { sent_at: 'datetime?' })` */
function storyCall(moments: readonly Moment[], state: StateField | undefined): string {
  const events = moments.map((moment) => {
    const { name, field, event, gap } = moment;
    const isSeldom =
      field.nullable && isEventKind(event, 'rare') && !state?.implied.includes(moment);
    const type = `${field.type.kind}${field.nullable ? '?' : ''}`;
    const words = [type, gap && `${gap} later`, isSeldom && 'seldom'];
    return [name, tsString(words.filter(Boolean).join(', '))];
  });
  const far = state === undefined ? progressCall(listProgress(moments)) : 'reached[state]';
  return tsCall('draw.story', far, tsObject(Object.fromEntries(events)));
}

function findEventBefore({ column }: Field, moments: readonly Moment[]) {
  const words = spacedWords(column);
  const happened = moments.filter(({ field, isPast }) => field.nullable && isPast);
  const [, reason] = /^(.*) (reason|note)$/.exec(words) ?? [];
  if (reason !== undefined) return happened.find(({ event }) => event === readEvent(reason));
  if (!outcomes.test(words)) return undefined;
  return happened.findLast(({ event }) => !isEventKind(event, 'stops'));
}

const outcomes = /^(grade|outcome|result|score|yield( \w+)?|minutes|calories)$/;

/** Whether a time belongs to the story of a row. Dates of birth and unique times do not. */
function isInStory(field: Field, model: Model): boolean {
  const isMoment = ['date', 'time', 'datetime'].includes(field.type.kind);
  return isMoment && !isDistinct(field, model) && !isBirth(field);
}

function isState(field: Field, model: Model): boolean {
  return field.type.kind === 'enum' && !field.nullable && !isDistinct(field, model);
}

/** `draw.oneOf([[1], [2]])` */
function progressCall(all: readonly Progress[]): string {
  const printed = all.map(([past, ...more]) =>
    more.length === 1 && more[0] === past ? `[${past}]` : `[${[past, ...more].join(', ')}]`,
  );
  const [only = '[0]', ...others] = new Set(printed);
  return others.length === 0 ? only : tsCall('draw.oneOf', `[${printed.join(', ')}]`);
}

/** `draw.times({ opens_at: '09:30:00.000', closes_at: '' })` */
function timesCall(times: readonly Moment[]): string {
  const usual = times.map(({ name, field: { default: initial } }) => [
    name,
    initial?.kind === 'literal' ? tsValue(initial.value) : "''",
  ]);
  // Opening hours are longer than events.
  const isShort = times.every(({ name }) =>
    /^(starts?|begins?|ends?|finish(es)?)\b/.test(spacedWords(name)),
  );
  return tsCall('draw.times', tsObject(Object.fromEntries(usual)), isShort ? '8' : undefined);
}

function stampLines(model: Model, moments: string | undefined): readonly RowLine[] {
  const names = ['created_at', 'updated_at'] as const;
  if (names.every((name) => findFieldByRole(model, name)?.column === name)) {
    return [{ value: tsCall('draw.stamps', moments) }];
  }
  return names.flatMap((name) => {
    const column = findFieldByRole(model, name)?.column;
    return column === undefined ? [] : [{ column, value: `made.${name}` }];
  });
}
