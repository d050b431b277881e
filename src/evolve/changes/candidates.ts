import type { Field, Model, Relation } from '../../model/app.ts';
import { slipsBetween } from '../../schema/suggest.ts';
import { fieldTypes } from '../../types/all.ts';
import type { Change, ModelField, NamedLinks, Value } from './change.ts';

/** A loss that may be a rename, because something similar is new. Only a person can tell. */
export interface Ambiguity {
  /** `Post.title`, `Post`, `PostStatus.draft` */
  readonly target: string;
  /** The code of the loss, if it is not a rename. */
  readonly code: 'SCF411' | 'SCF412' | 'SCF415';
  /** Possible new names, the most likely first. */
  readonly renames: readonly {
    /** `Post.heading` */
    readonly target: string;
    /** The name that `--rename Post.title=heading` takes. */
    readonly to: string;
  }[];
}

export function listAmbiguities(changes: readonly Change[]): readonly Ambiguity[] {
  return changes.flatMap((dropped): readonly Ambiguity[] => {
    const code = losses[dropped.kind];
    const renames = changes
      .flatMap((added) => {
        const found = candidateFor(dropped, added, changes);
        return found ? [{ ...found, target: added.target }] : [];
      })
      .toSorted((left, right) => left.distance - right.distance)
      .map(({ target, name }) => ({ target, to: name }));
    return code === undefined || renames.length === 0
      ? []
      : [{ target: dropped.target, code, renames }];
  });
}

const losses: Readonly<Partial<Record<Change['kind'], Ambiguity['code']>>> = {
  drop_model: 'SCF411',
  drop_field: 'SCF412',
  drop_value: 'SCF415',
};

interface Candidate {
  readonly name: string;
  readonly distance: number;
}

function candidateFor(
  dropped: Change,
  added: Change,
  changes: readonly Change[],
): Candidate | undefined {
  if (dropped.kind === 'drop_model' && added.kind === 'add_model') {
    return modelCandidate(dropped.before, added.after);
  }
  if (dropped.kind === 'drop_field' && added.kind === 'add_field') {
    return fieldCandidate(dropped.before, added.after, changes);
  }
  if (dropped.kind === 'drop_field' && added.kind === 'add_links') {
    return linksCandidate(dropped.before, added.after, changes);
  }
  if (dropped.kind === 'drop_value' && added.kind === 'add_value') {
    return valueCandidate(dropped.before, added.after);
  }
  return undefined;
}

/** Models that share at least half of what the smaller one declares. */
function modelCandidate(before: Model, after: Model): Candidate | undefined {
  const [was, is] = [declaredNames(before), declaredNames(after)];
  const shared = was.filter((name) => is.includes(name)).length;
  const smaller = Math.min(was.length, is.length);
  if (smaller > 0 && shared * 2 < smaller) return undefined;
  const likeness = shared / Math.max(1, was.length, is.length);
  const { name } = after;
  return { name, distance: 2 * (1 - likeness) + nameDistance(before.name, name) };
}

function declaredNames({ fields }: Model): readonly string[] {
  return fields.filter(({ role }) => role === 'declared' || role === 'key').map(({ name }) => name);
}

function fieldCandidate(
  before: ModelField,
  after: ModelField,
  changes: readonly Change[],
): Candidate | undefined {
  const [was, is] = [before.field, after.field];
  if (before.model.id !== after.model.id || was.role !== is.role) return undefined;
  const relation = findKeyRelation(after);
  if (relation?.target !== nameNow(findKeyRelation(before)?.target, changes)) return undefined;
  // A renamed field may also have another range.
  if (relation === undefined && sortOf(was) !== sortOf(is)) return undefined;
  const isRetyped = JSON.stringify(was.type) !== JSON.stringify(is.type);
  const name = relation?.name ?? is.name;
  const distance =
    2 * Number(isRetyped) +
    Number(was.nullable !== is.nullable) +
    Math.min(1, Math.abs(fieldIndex(before) - fieldIndex(after)) / 4) +
    nameDistance(was.relation ?? was.name, name);
  return { name, distance };
}

/** A to-one relation may become a many-to-many relation. */
function linksCandidate(
  before: ModelField,
  { left, right, relation: name }: NamedLinks,
  changes: readonly Change[],
): Candidate | undefined {
  const relation = findKeyRelation(before);
  const isOfModel = left.model === nameNow(before.model.name, changes);
  if (relation === undefined || !isOfModel || right.model !== nameNow(relation.target, changes))
    return undefined;
  return { name, distance: 2 + nameDistance(relation.name, name) };
}

function sortOf({ type }: Field): string {
  const { family, sort = family } = fieldTypes[type.kind];
  return sort;
}

function valueCandidate(before: Value, after: Value): Candidate | undefined {
  const [name, former] = [after.value, before.value];
  return before.enum.id === after.enum.id
    ? { name, distance: nameDistance(former, name) }
    : undefined;
}

function nameNow(name: string | undefined, changes: readonly Change[]): string | undefined {
  const renamed = changes.find((it) => it.kind === 'rename_model' && it.before.name === name);
  return renamed?.kind === 'rename_model' ? renamed.after.name : name;
}

function findKeyRelation({ model, field }: ModelField): Relation | undefined {
  return model.relations.find(({ name }) => name === field.relation);
}

function fieldIndex({ model, field }: ModelField): number {
  return model.fields.findIndex((it: Field) => it.id === field.id);
}

/** From 0 for equal names to 1 for names without a common letter. */
function nameDistance(before: string, after: string): number {
  return slipsBetween(before, after) / Math.max(1, before.length, after.length);
}
