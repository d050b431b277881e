import { InternalError } from '../../../errors.ts';
import {
  agreeingOf,
  type App,
  targetOfRelation,
  type Model,
  findMembersCalled,
} from '../../../model/app.ts';
import { sourceText, type Code } from '../../typescript.ts';
import { isRequired, sentKeys } from '../../../model/writing.ts';
import { modelOfMembers } from '../members.ts';
import { isRoomy } from './room.ts';
import { countingRoles, membership } from './membership.ts';
import { argument, entry, inSteps, printObject } from './printed.ts';

/** What a test makes so that keys of a row belong together, and the values of these keys. */
interface Made {
  readonly steps: string[];
  /** How many of the steps make a row that has a name. */
  rows: number;
  /** Code for the ids, by relations. */
  readonly ids: Map<string, string>;
  /** Of rows beyond them, by paths. */
  readonly ends: Map<string, string>;
}

type Agreeing = ReturnType<typeof agreeingOf>[number];

/** Relations of a model that belong together with others in every row. */
export function tiedTogether(model: Model): ReadonlySet<string> {
  const all = agreeingOf(model);
  return new Set(all.flatMap(({ name, among }) => [name, ...among.path.slice(0, 1)]));
}

/** The keys that a row must have and that agree: what is made before, and the keys. */
export function requiredAgreeing(model: Model, app: App): Made {
  const made: Made = { steps: [], rows: 0, ids: new Map(), ends: new Map() };
  const required = sentKeys(model).filter(isRequired);
  const asked = agreeingOf(model).filter(({ key }) => required.some(({ name }) => name === key));
  // What a row leads to is made so that it leads on, wherever that is asked for.
  const furthest = asked.toSorted((one, other) => other.among.path.length - one.among.path.length);
  for (const relation of furthest) agree(relation, model, app, made);
  return made;
}

/** A test for each key: rows that belong together, and another one that does not. */
export function agreementViews(model: Model, app: App, body: Code | undefined) {
  return agreeingOf(model).flatMap((relation) => {
    const { there } = targetOfRelation(model, relation.name, app);
    const { there: base } = targetOfRelation(model, relation.among.path[0] ?? '', app);
    if (!isRoomy(there, app) || !isRoomy(base, app) || !model.endpoints.includes('create'))
      return [];
    const made = requiredAgreeing(model, app);
    agree(relation, model, app, made);
    const values = [...made.ids].map(([name, id]) =>
      entry(targetOfRelation(model, name, app).key.name, id),
    );
    const other = entry(relation.key, `(await api.make.${there.names.variable}()).id`);
    return [
      argument({
        path: 'path',
        body,
        agreeing: inSteps(
          'async () =>',
          ...made.steps,
          `return ${sourceText(printObject(values))};`,
        ),
        other: `async () => ({ ${other} })`,
      }),
    ];
  });
}

function agree(relation: Agreeing, model: Model, app: App, made: Made): void {
  if (made.ids.has(relation.name)) return;
  const end = endOf(relation, model, app, made);
  const { there } = targetOfRelation(model, relation.name, app);
  const { members, own = '' } = relation.among;
  if (members === undefined) {
    const { key } = targetOfRelation(there, own, app);
    const row = make(there, [entry(key.name, end.id)], made);
    made.ids.set(relation.name, row);
    return;
  }
  const person = make(there, [], made);
  const kind = findMembersCalled(members.word, end.model);
  if (kind === undefined) throw new InternalError(`There is no ${members.word}.`);
  const by = modelOfMembers(kind, app);
  const isNamed = (role: string) => members.roles.length === 0 || members.roles.includes(role);
  const role = countingRoles(kind, app).find(isNamed);
  made.steps.push(
    `await api.make.${by.names.variable}(${membership(kind, app, { of: end.id, user: person, role })});`,
  );
  made.ids.set(relation.name, person);
}

/** The row to which the other keys lead, where it is made so that it leads on. */
function endOf({ among }: Agreeing, model: Model, app: App, made: Made) {
  const [first = '', second] = among.path;
  const base = targetOfRelation(model, first, app).there;
  const known = made.ids.get(first);
  if (second === undefined) {
    if (known !== undefined) return { id: known, model: base };
    const own = agreeingOf(model).find(({ name }) => name === first);
    if (own !== undefined) agree(own, model, app, made);
    const id = made.ids.get(first) ?? make(base, [], made);
    made.ids.set(first, id);
    return { id, model: base };
  }
  const beyond = targetOfRelation(base, second, app);
  const path = `${first}.${second}`;
  const end = made.ends.get(path) ?? make(beyond.there, [], made);
  made.ends.set(path, end);
  if (known === undefined) made.ids.set(first, make(base, [entry(beyond.key.name, end)], made));
  return { id: end, model: beyond.there };
}

/** Has a row made, and says by which code its id is known. */
function make(model: Model, values: readonly string[], made: Made): string {
  made.rows += 1;
  const name = `row${made.rows}`;
  const given = values.length === 0 ? '' : `{ ${values.join(', ')} }`;
  made.steps.push(`const ${name} = await api.make.${model.names.variable}(${given});`);
  return `${name}.id`;
}
