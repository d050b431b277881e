import type { App, Enum } from './app.ts';

/** Where values of a new enum say what they were, it is the one that had them, if that is gone. */
export function byTheirValues(
  previous: App,
  next: App,
): readonly (readonly [now: string, then: string])[] {
  const gone = previous.enums.filter(({ name }) => !has(next, name));
  const isNew = ({ name }: Enum) => !has(previous, name);
  return next.enums.filter(isNew).flatMap(({ name, values }) => {
    const said = new Set(values.map(({ was }) => was));
    const [former, ...others] = gone.filter((it) => it.values.some(({ value }) => said.has(value)));
    return former === undefined || others.length > 0 ? [] : [[name, former.name] as const];
  });
}

const has = ({ enums }: App, name: string) => enums.some((it) => it.name === name);
