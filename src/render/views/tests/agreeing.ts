import { InternalError } from '../../../errors.ts';
import {
  agreeingOf,
  type App,
  type Field,
  targetOfRelation,
  type Model,
  findMembersCalled,
} from '../../../model/app.ts';
import { sourceText, type Code } from '../../typescript.ts';
import { isRequired, sentKeys } from '../../../model/writing.ts';
import { modelOfMembers } from '../members.ts';
import { isRoomy } from './room.ts';
import { countingRoles, membership } from './membership.ts';
import { argument, entry, inSteps, madeOf, makingOf, printObject } from './printed.ts';

/** What a test makes so that keys of a row belong together, and code for the ids, by the paths that lead to them. */
interface Made {
  readonly steps: string[];
  readonly ids: Map<string, string>;
}

type Agreeing = ReturnType<typeof agreeingOf>[number];

/** Relations of a model that belong together with others in every row. */
export function tiedTogether(model: Model): ReadonlySet<string> {
  const all = agreeingOf(model);
  return new Set(all.flatMap(({ name, among }) => [name, ...among.path.slice(0, 1)]));
}

/** The keys that a row must have and that agree: what is made before, and the keys. */
export function requiredAgreeing(model: Model, app: App): Made {
  const made: Made = { steps: [], ids: new Map() };
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
    const values = sentKeys(model).flatMap(({ name, relation: led = '' }) => {
      const id = made.ids.get(led);
      return id === undefined ? [] : [entry(name, id)];
    });
    const other = entry(relation.key, `${madeOf(there)}.id`);
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
    make(
      { path: relation.name, of: there, key: targetOfRelation(there, own, app).key },
      made,
      end.id,
    );
    return;
  }
  const user = make({ path: relation.name, of: there }, made);
  const kind = findMembersCalled(members.word, end.model);
  if (kind === undefined) throw new InternalError(`There is no ${members.word}.`);
  const isNamed = (role: string) => members.roles.length === 0 || members.roles.includes(role);
  const role = countingRoles(kind, app).find(isNamed);
  const values = membership(kind, app, { of: end.id, user, role });
  made.steps.push(`${makingOf(modelOfMembers(kind, app), values)};`);
}

/** The row to which the other keys lead, where it is made so that it leads on. */
function endOf({ among }: Agreeing, model: Model, app: App, made: Made) {
  const [first = '', second] = among.path;
  const base = targetOfRelation(model, first, app).there;
  if (second === undefined) {
    const own = agreeingOf(model).find(({ name }) => name === first);
    if (own !== undefined) agree(own, model, app, made);
    return { id: make({ path: first, of: base }, made), model: base };
  }
  const beyond = targetOfRelation(base, second, app);
  const id = make({ path: among.path.join('.'), of: beyond.there }, made);
  make({ path: first, of: base, key: beyond.key }, made, id);
  return { id, model: beyond.there };
}

/** Has the row at the end of a path made, with a key of that value, unless it is there; says by which code its id is known. */
function make(
  { path, of, key }: { readonly path: string; readonly of: Model; readonly key?: Field },
  made: Made,
  value = '',
): string {
  const known = made.ids.get(path);
  if (known !== undefined) return known;
  const name = `row${made.ids.size + 1}`;
  made.steps.push(`const ${name} = ${makingOf(of, key && `{ ${entry(key.name, value)} }`)};`);
  made.ids.set(path, `${name}.id`);
  return `${name}.id`;
}
