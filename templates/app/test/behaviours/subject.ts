import type { LightMyRequestResponse } from 'fastify';
import type { Values } from '../../src/database/samples/rows.ts';
import { visibleFields } from '../../src/lib/path.ts';
import type { Fault } from '../../src/lib/problem.ts';
import type { Resource } from '../../src/lib/resource.ts';
import type { TestApp } from '../app.ts';

/** A model under test. */
export interface Subject {
  readonly api: TestApp;
  readonly resource: Resource;
  /** `/api/posts/` */
  readonly path: string;
  /** The field that says whose a row is. */
  readonly owner?: string;
  /** What a client may send. */
  readonly create?: Shape;
  readonly update?: Shape;
  /** The field of another model that keeps a row from being deleted. */
  readonly heldBy?: { readonly resource: Resource; readonly key: string };
}

/** As much of a TypeBox object as the tests read. */
export interface Shape {
  readonly properties: { readonly [name: string]: object };
  readonly required?: readonly string[] | undefined;
}

/** An id that no row has. */
export function strangeId({ id }: Resource): number | string {
  return id === 'int' ? 999_999_999 : '00000000-0000-7000-8000-000000000000';
}

/** The part of a body that comes back in the answer. */
export function visible({ fields }: Resource, values: Values): Values {
  return only(values, (name) => fields[name]?.hidden !== true);
}

export function only(values: Values, keep: (name: string) => boolean): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => keep(name)));
}

export function isEmpty(values: Values): boolean {
  return Object.keys(values).length === 0;
}

/** Values that fit none of the fields, but for those that take any JSON. */
export function misfits(shape?: Shape): Values {
  const typed = Object.entries(shape?.properties ?? {}).filter(
    ([, property]) => 'type' in property && ![property.type].flat().includes('object'),
  );
  return Object.fromEntries(typed.map(([name]) => [name, {}]));
}

export function isWritten(name: string, shape?: Shape): boolean {
  return Object.hasOwn(shape?.properties ?? {}, name);
}

/** Fields of the model that a client may not send. */
export function unwritable(resource: Resource, shape?: Shape): readonly string[] {
  return visibleFields(resource).filter((name) => !isWritten(name, shape));
}

/** Keys that a client sends, each pointing to a row that is not there. */
export function strangeKeys({ relations }: Resource, shape?: Shape): Values {
  const keys = Object.values(relations).flatMap((relation) =>
    relation.kind === 'one' && isWritten(relation.key, shape)
      ? [[relation.key, strangeId(relation.to())] as const]
      : [],
  );
  return Object.fromEntries(keys);
}

/** A constraint whose fields a client sends, none of them null. */
export function sentConstraint(resource: Resource, shape?: Shape): readonly string[] | undefined {
  return Object.values(resource.unique).find((names) =>
    names.every((name) => isSent(resource, name, shape)),
  );
}

/** A constraint that one user breaks who sends a body twice in one moment. */
export function repeatedConstraint(resource: Resource, shape?: Shape) {
  return Object.values(resource.unique).find((names) =>
    names.every((name) => isSent(resource, name, shape) || isRepeated(resource, name)),
  );
}

/** Bodies leave out the keys that may be null. */
function isSent({ fields }: Resource, name: string, shape?: Shape): boolean {
  const { nullable, references } = fields[name] ?? {};
  return isWritten(name, shape) && (nullable !== true || references === undefined);
}

/** What the server fills in and would fill in again: the owner, a fixed value, the moment. */
function isRepeated({ fields }: Resource, name: string): boolean {
  const { set, references, default: preset } = fields[name] ?? {};
  if (set !== 'server') return false;
  return references !== undefined || (preset !== undefined && preset !== 'uuid');
}

/** The names of the fields that an answer complains about, in order. */
export function blamed(response: LightMyRequestResponse): readonly string[] {
  const faults: readonly Fault[] = response.json().errors ?? [];
  return [...new Set(faults.map(({ loc }) => String(loc[1])))].toSorted();
}
