import { InternalError } from '../../../errors.ts';
import { type App, isUser, type Model, modelOf, toOneOf } from '../../../model/app.ts';
import { operations } from '../../../schema/language.ts';
import { ownerKey } from '../field-type.ts';
import { isRoomy } from './example-rows.ts';
import { code, tsString } from '../../typescript.ts';
import { entry } from './printed.ts';

/** What a visitor has to do with a row, besides their role: rules that say `is` or `via` ask for it. */
export type Standing =
  | { readonly kind: 'owner' }
  | { readonly kind: 'is'; readonly relation: string }
  /** With the row to which the relation leads. */
  | { readonly kind: 'via'; readonly relation: string; readonly there: Standing };

type Tie = Exclude<Standing, { kind: 'owner' }>;

/** One for each relation that the rules of a model name, where a test can make such a row. */
export function tiesTo(model: Model, app: App, passed: readonly Model[] = []): readonly Tie[] {
  if (isUser(model)) return [];
  const named = operations
    .flatMap((operation) => model.access[operation])
    .flatMap((each): Tie[] => {
      if ((each.kind !== 'is' && each.kind !== 'via') || each.relation === model.owner) return [];
      const { relation } = each;
      if (each.kind === 'is') return [{ kind: 'is', relation }];
      const there = standingIn(led(model, relation, app).there, app, [...passed, model]);
      return there === undefined ? [] : [{ kind: 'via', relation, there }];
    });
  return [...new Map(named.map((tie) => [nameOf(tie), tie])).values()];
}

/** The nearest that somebody can be to a row of a model. */
function standingIn(model: Model, app: App, passed: readonly Model[]): Standing | undefined {
  if (isUser(model)) return { kind: 'owner' };
  const isFar = passed.length > variables.length || passed.includes(model);
  if (isFar || !isRoomy(model, app)) return undefined;
  return model.owner === undefined ? tiesTo(model, app, passed)[0] : { kind: 'owner' };
}

/** As the schema says it: `via team` */
export const nameOf = ({ kind, relation }: Tie) => `${kind} ${relation}`;

/** Of the row: `{ team_id: first.id }`, after `const first = await api.make.team({ lead_id: id });` */
export function tieView(tie: Tie, model: Model, app: App) {
  const steps: string[] = [];
  const values = code(valuesOf(tie, model, app, steps));
  return { name: code(tsString(nameOf(tie))), steps: steps.map((step) => code(step)), values };
}

/** What a row holds to which the user of the id stands like that, and what is made for it. */
function valuesOf(standing: Standing, model: Model, app: App, steps: string[]): string {
  if (standing.kind === 'owner') return `{ ${entry(ownerKey(model) ?? '', 'id')} }`;
  const { key, there } = led(model, standing.relation, app);
  if (standing.kind === 'is' || isUser(there)) return `{ ${entry(key, 'id')} }`;
  const values = valuesOf(standing.there, there, app, steps);
  const made = variables[steps.length] ?? '';
  steps.push(`const ${made} = await api.make.${there.names.variable}(${values});`);
  return `{ ${entry(key, `${made}.id`)} }`;
}

const variables = ['first', 'second', 'third'];

/** Where a relation leads, and the field that holds its key. */
export function led(model: Model, name: string, app: App) {
  const relation = toOneOf(model, name);
  const there = relation && modelOf(relation.target, app);
  if (!relation || !there) throw new InternalError(`${model.names.type} has no relation ${name}.`);
  return { relation, key: relation.key, there };
}
