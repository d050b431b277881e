import type { Field, FieldType, Model, Relation } from '../../model/app.ts';
import { schemaName } from '../../naming/name.ts';
import { fieldTypes } from '../../types/all.ts';
import type { Change, Place } from './change.ts';

/** Something is gone and something like it is new: a rename, or not? Only the person knows. */
export interface Ambiguity {
  /** `Post.title`, `Post`, `PostStatus.draft` */
  readonly target: string;
  /** Codes to accept the loss by, when it is none. */
  readonly loss: 'SCF411' | 'SCF412' | 'SCF415';
  /** Arguments of `--rename`, the likeliest first: `Post.title=heading`. */
  readonly renames: readonly string[];
}

export function findAmbiguities(changes: readonly Change[]): readonly Ambiguity[] {
  return changes.flatMap((change): readonly Ambiguity[] => {
    const renames = candidatesFor(change, changes)
      .toSorted((left, right) => left.distance - right.distance)
      .map(({ name }) => `${change.target}=${name}`);
    const loss = losses[change.kind];
    if (loss === undefined || renames.length === 0) return [];
    return [{ target: change.target, loss, renames }];
  });
}

const losses: Readonly<Partial<Record<Change['kind'], Ambiguity['loss']>>> = {
  drop_model: 'SCF411',
  drop_field: 'SCF412',
  drop_value: 'SCF415',
};

interface Candidate {
  readonly name: string;
  readonly distance: number;
}

function candidatesFor(dropped: Change, changes: readonly Change[]): readonly Candidate[] {
  return changes.flatMap((change): readonly Candidate[] => {
    if (dropped.kind === 'drop_model' && change.kind === 'add_model') {
      return modelCandidate(dropped.before, change.after);
    }
    if (dropped.kind === 'drop_field' && change.kind === 'add_field') {
      return fieldCandidate(dropped.before, change.after, changes);
    }
    if (dropped.kind === 'drop_value' && change.kind === 'add_value') {
      if (dropped.target.split('.')[0] !== change.after.enum.name) return [];
      const name = change.after.value;
      return [{ name, distance: nameDistance(dropped.before.value, name) }];
    }
    return [];
  });
}

/** Models that share at least half of what the smaller one declares. */
function modelCandidate(before: Model, after: Model): readonly Candidate[] {
  const [was, is] = [declaredNames(before), declaredNames(after)];
  const shared = was.filter((name) => is.includes(name)).length;
  const smaller = Math.min(was.length, is.length);
  if (smaller > 0 && shared * 2 < smaller) return [];
  const likeness = shared / Math.max(1, was.length, is.length);
  const name = schemaName(after);
  return [{ name, distance: 2 * (1 - likeness) + nameDistance(schemaName(before), name) }];
}

function declaredNames({ fields }: Model): readonly string[] {
  return fields.filter(({ role }) => role === 'declared' || role === 'key').map(({ name }) => name);
}

function fieldCandidate(
  before: Place,
  after: Place,
  changes: readonly Change[],
): readonly Candidate[] {
  if (before.model.id !== after.model.id || before.field.role !== after.field.role) return [];
  const relation = relationOf(after);
  if (relation?.target !== nameNow(relationOf(before)?.target, changes)) return [];
  const types = { before: before.field.type, after: after.field.type };
  if (relation === undefined && !isAkin(types.before, types.after)) return [];
  const name = relation?.name ?? after.field.name;
  const former = before.field.relation ?? before.field.name;
  const distance =
    2 * Number(!isSameType(types.before, types.after)) +
    Number(before.field.nullable !== after.field.nullable) +
    Math.min(1, Math.abs(placeOf(before) - placeOf(after)) / 4) +
    nameDistance(former, name);
  return [{ name, distance }];
}

/** Of a model. */
function nameNow(name: string | undefined, changes: readonly Change[]): string | undefined {
  const renamed = changes.find((it) => it.kind === 'rename_model' && it.before.names.type === name);
  return renamed?.kind === 'rename_model' ? renamed.after.names.type : name;
}

function relationOf({ model, field }: Place): Relation | undefined {
  return model.relations.find(({ name }) => name === field.relation);
}

/** Of types that hold the same sort of values: a rename may come with a wider or narrower one. */
function isAkin(before: FieldType, after: FieldType): boolean {
  return fieldTypes[before.kind].sort === fieldTypes[after.kind].sort;
}

function isSameType(before: FieldType, after: FieldType): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

function placeOf({ model, field }: Place): number {
  return model.fields.findIndex((it: Field) => it.id === field.id);
}

/** 0 for the same name, 1 for names that share no two letters in a row. */
function nameDistance(before: string, after: string): number {
  const [was, is] = [letterPairs(before), letterPairs(after)];
  const shared = [...was].filter((pair) => is.has(pair)).length;
  return 1 - (2 * shared) / Math.max(1, was.size + is.size);
}

function letterPairs(name: string): ReadonlySet<string> {
  const text = name.toLowerCase();
  return new Set(Array.from(text, (_, at) => text.slice(at, at + 2)));
}
