import type { Field, Relation, Resource } from './resource.ts';

/** `author.name`: over relations to a field that may be seen. */
export interface Path {
  readonly text: string;
  readonly steps: readonly Step[];
  /** Of the last model. */
  readonly name: string;
  readonly field: Field;
}

export interface Step {
  readonly name: string;
  readonly relation: Relation;
}

/** The part of a path that leads nowhere, and what could stand there. */
export interface DeadEnd {
  readonly unknown: string;
  readonly known: readonly string[];
}

const deepest = 3;

export function resolvePath(resource: Resource, text: string): Path | DeadEnd {
  const names = text.split('.');
  const name = names.pop() ?? '';
  const steps: Step[] = [];
  let at = resource;
  for (const step of names) {
    if (steps.length === deepest) return { unknown: step, known: visibleFields(at) };
    const relation = ownRelation(at, step);
    if (relation === undefined) return { unknown: step, known: Object.keys(at.relations) };
    steps.push({ name: step, relation });
    at = relation.to();
  }
  const field = visibleField(at, name);
  return field === undefined
    ? { unknown: name, known: visibleFields(at) }
    : { text, steps, name, field };
}

/** A hidden field is as unknown as one that does not exist. */
export function visibleFields(resource: Resource): readonly string[] {
  return Object.keys(resource.fields).filter((name) => resource.fields[name]?.hidden !== true);
}

export function visibleField(resource: Resource, name: string): Field | undefined {
  const field = Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined;
  return field?.hidden === true ? undefined : field;
}

export function ownRelation(resource: Resource, name: string): Relation | undefined {
  return Object.hasOwn(resource.relations, name) ? resource.relations[name] : undefined;
}
