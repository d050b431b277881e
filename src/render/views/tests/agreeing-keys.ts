import { InternalError } from '../../../errors.ts';
import type { App, Field, Model } from '../../../model/app.ts';
import { listAgreeingRelations, getTarget, findMemberKind } from '../../../model/lookups.ts';
import { isRequired, clientKeys } from '../../../model/writing.ts';
import { allowsMoreRows } from './unique-values.ts';
import { countingRoles, printMemberMaking } from './membership.ts';
import {
  printArgument,
  printEntry,
  printFunction,
  printMadeRow,
  printMaking,
  printObject,
} from './print.ts';

/** Rows that a test makes so that keys agree, and code for their ids, by the paths that lead to them. */
interface Made {
  readonly steps: string[];
  readonly ids: Map<string, string>;
}

type Agreeing = ReturnType<typeof listAgreeingRelations>[number];

/** Names of relations that have to agree, or that others have to agree with. */
export function agreeingRelations(model: Model): ReadonlySet<string> {
  const all = listAgreeingRelations(model);
  return new Set(all.flatMap(({ name, among }) => [name, ...among.path.slice(0, 1)]));
}

/** Required keys that have to agree: the rows that are made before, and the keys. */
export function makeAgreeingKeys(model: Model, app: App): Made {
  const made: Made = { steps: [], ids: new Map() };
  const required = clientKeys(model).filter(isRequired);
  const asked = listAgreeingRelations(model).filter(({ key }) =>
    required.some(({ name }) => name === key),
  );
  // Rows at the end of longer paths are made first, so that they lead on.
  const furthest = asked.toSorted((one, other) => other.among.path.length - one.among.path.length);
  for (const relation of furthest) agree(relation, model, app, made);
  return made;
}

/** A test for each agreeing key: rows that agree, and one that does not. */
export function agreementViews(model: Model, app: App, body: string | undefined) {
  return listAgreeingRelations(model).flatMap((relation) => {
    const { target } = getTarget(model, relation.name, app);
    const { target: base } = getTarget(model, relation.among.path[0] ?? '', app);
    if (
      !allowsMoreRows(target, app) ||
      !allowsMoreRows(base, app) ||
      !model.endpoints.includes('create')
    )
      return [];
    const made = makeAgreeingKeys(model, app);
    agree(relation, model, app, made);
    const values = clientKeys(model).flatMap(({ name, relation: led = '' }) => {
      const id = made.ids.get(led);
      return id === undefined ? [] : [printEntry(name, id)];
    });
    const other = printEntry(relation.key, `${printMadeRow(target)}.id`);
    return [
      printArgument({
        path: 'path',
        body,
        agreeing: printFunction('async () =>', ...made.steps, `return ${printObject(values)};`),
        other: `async () => ({ ${other} })`,
      }),
    ];
  });
}

function agree(relation: Agreeing, model: Model, app: App, made: Made): void {
  if (made.ids.has(relation.name)) return;
  const end = makeEnd(relation, model, app, made);
  const { target } = getTarget(model, relation.name, app);
  const { members, own = '' } = relation.among;
  if (members === undefined) {
    makeRow(
      { path: relation.name, of: target, key: getTarget(target, own, app).key },
      made,
      end.id,
    );
    return;
  }
  const user = makeRow({ path: relation.name, of: target }, made);
  const kind = findMemberKind(members.word, end.model);
  if (kind === undefined) throw new InternalError(`There is no ${members.word}.`);
  const isNamed = (role: string) => members.roles.length === 0 || members.roles.includes(role);
  const role = countingRoles(kind, app).find(isNamed);
  made.steps.push(`await ${printMemberMaking(kind, app, { of: end.id, user, role })};`);
}

/** The row that keys have to agree with. */
function makeEnd({ among }: Agreeing, model: Model, app: App, made: Made) {
  const [first = '', second] = among.path;
  const base = getTarget(model, first, app).target;
  if (second === undefined) {
    const own = listAgreeingRelations(model).find(({ name }) => name === first);
    if (own !== undefined) agree(own, model, app, made);
    return { id: makeRow({ path: first, of: base }, made), model: base };
  }
  const beyond = getTarget(base, second, app);
  const id = makeRow({ path: among.path.join('.'), of: beyond.target }, made);
  makeRow({ path: first, of: base, key: beyond.key }, made, id);
  return { id, model: beyond.target };
}

/** Makes the row at the end of a path, unless it exists, with a key of the given value. Returns code for its id. */
function makeRow(
  { path, of, key }: { readonly path: string; readonly of: Model; readonly key?: Field },
  made: Made,
  value = '',
): string {
  const known = made.ids.get(path);
  if (known !== undefined) return known;
  const name = `row${made.ids.size + 1}`;
  made.steps.push(
    `const ${name} = ${printMaking(of, key && `{ ${printEntry(key.name, value)} }`)};`,
  );
  made.ids.set(path, `${name}.id`);
  return `${name}.id`;
}
