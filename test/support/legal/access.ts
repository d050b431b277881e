import * as fc from 'fast-check';
import { type Document, oneIn, some } from './pick.ts';
import type { World } from './world.ts';

/** What the rules of a model may be about. */
export interface Ruled {
  readonly model: string;
  /** Who may be admitted, besides those whom relations name. */
  readonly words: readonly string[];
  /** Before a row exists, nobody owns it. */
  readonly creators: readonly string[];
  readonly toOne: readonly { readonly name: string; readonly to: string }[];
  /** Fields that can be asked for null. */
  readonly fields: readonly string[];
  readonly times: boolean;
  readonly softDelete: boolean;
}

const operations = ['list', 'read', 'create', 'update', 'delete', 'restore', 'refer'] as const;
type Operation = (typeof operations)[number];

/** Rules for some of the operations, each an entry or a list of entries. */
export function accessDocument(world: World, ruled: Ruled): Document {
  const { pick, open } = world;
  const possible = operations.filter((name) => name !== 'restore' || ruled.softDelete);
  const drawn = some(pick, possible, { least: 1 });
  const rules = drawn.map((operation): [string, unknown] => {
    const entries = ruleFor(operation, world, ruled);
    if (entries.some((entry) => entry.startsWith('public')))
      open.add(`${ruled.model}.${operation}`);
    return [operation, entries.length === 1 && pick(fc.boolean) ? entries[0] : entries];
  });
  const only = oneIn(pick, 4) ? { all: some(pick, narrowings(ruled), { least: 1, most: 2 }) } : {};
  return { ...only, ...Object.fromEntries(rules) };
}

function ruleFor(operation: Operation, world: World, ruled: Ruled): readonly string[] {
  const { pick } = world;
  const words = operation === 'create' ? ruled.creators : ruled.words;
  const who = [...words, ...tied(operation, world, ruled)];
  const entries = some(pick, who, { least: 1, most: 3 }).map((each) => {
    const before = oneIn(pick, 3) ? ` if ${conditionOf(world, ruled)}` : '';
    const after =
      operation === 'update' && oneIn(pick, 4) ? ` then ${conditionOf(world, ruled)}` : '';
    // A stranger may be one who has to own what they make.
    return operation === 'create' && each === 'public' ? each : `${each}${before}${after}`;
  });
  const only = oneIn(pick, 6) ? some(pick, narrowings(ruled), { least: 1, most: 1 }) : [];
  return [...entries, ...only];
}

/** `is author`, `via team.update`: over relations to what comes before, so that no rule leads back to itself. */
function tied(operation: Operation, world: World, { model, toOne }: Ruled): readonly string[] {
  const { models, open } = world;
  const isSeeing = ['list', 'read', 'refer'].includes(operation);
  const asked = isSeeing ? ['', '.read', '.update'] : ['', '.delete'];
  return toOne.flatMap(({ name, to }) => {
    const is = to === 'User' ? [`is ${name}`] : [];
    const isBefore = to !== 'User' && models.indexOf(to) < models.indexOf(model);
    const via = asked
      // To write, nobody follows what is public.
      .filter((each) => isSeeing || !open.has(`${to}.${each === '' ? 'update' : each.slice(1)}`))
      .map((each) => `via ${name}${each}`);
    return [...is, ...(isBefore || (to === 'User' && isSeeing) ? via : [])];
  });
}

const narrowings = (ruled: Ruled) => [
  'only authenticated',
  ...conditionsOn(ruled).map((condition) => `only if ${condition}`),
];

const conditionOf = ({ pick }: World, ruled: Ruled) =>
  some(pick, conditionsOn(ruled), { least: 1, most: 2 }).join(' and ');

function conditionsOn({ toOne, fields, times }: Ruled): readonly string[] {
  return [
    'id is not null',
    ...(times ? ['created_at <= now'] : []),
    ...fields.filter((name) => /^[a-z_]\w*$/i.test(name)).map((name) => `${name} is null`),
    ...toOne.flatMap(({ name, to }) => [
      `${name} is not null`,
      `${name}.id is not null`,
      ...(to === 'User' ? [`${name} = me.id`, `${name}.name = me.name`] : []),
    ]),
  ];
}
