import { pairById, type Pair } from '../../evolve/pairs.ts';
import type { App, Field, Model, Relation } from '../../model/app.ts';
import { spellName } from '../../naming/name.ts';
import { findInReduced, renderProject } from '../render-project.ts';
import type { ProjectRecord } from '../record.ts';
import { replaceModel, withoutFields, withoutModel, withoutRelation } from '../reduced-app.ts';
import { placeRendered } from './match-record.ts';

/** A change of the schema, and the text that each file would have without it. */
export interface UndoableChange {
  /** `Post.heading` */
  readonly name: string;
  /** Takes the id of a file. Undefined if another part of the schema depends on the change. */
  readonly textWithout: (id: string) => string | undefined;
}

export function listUndoableChanges(
  before: App,
  after: App,
  record: Pick<ProjectRecord, 'files'>,
): readonly UndoableChange[] {
  const hasMoved = Object.values(record.files).some(({ home }) => home !== undefined);
  return undoEachChange(before, after).map(([name, app]) => ({
    name,
    textWithout: (id) =>
      findInReduced(() => {
        const files = renderProject(app, [], (it) => hasMoved || it === id);
        return placeRendered(files, record).find((it) => it.id === id)?.content;
      }),
  }));
}

type AppWithoutChange = readonly [name: string, app: App];

/** The name of each change, with the new app without that change. */
export function undoEachChange(before: App, after: App): readonly AppWithoutChange[] {
  const { added, dropped, kept } = pairById(before.models, after.models);
  return [
    ...added.map((it): AppWithoutChange => [it.name, withoutModel(it)(after)]),
    ...dropped.map((it): AppWithoutChange => {
      const models = withFormer(after.models, before.models, [it.id]);
      return [it.name, { ...after, models }];
    }),
    ...kept.flatMap((pair) => undoInModel(pair, after)),
    ...pairById(before.enums, after.enums).kept.flatMap((pair) => {
      const [was, is] = [pair.before.values, pair.after.values];
      return changedEntries(byId(was), byId(is)).map(([id, { value }]): AppWithoutChange => {
        const changed = { ...pair.after, values: withFormer(is, was, [id]) };
        const enums = after.enums.map((it) => (it === pair.after ? changed : it));
        return [`${changed.name}.${value}`, { ...after, enums }];
      });
    }),
  ];
}

function undoInModel({ before, after }: Pair<Model>, app: App): readonly AppWithoutChange[] {
  const keys = new Map<string, string[]>();
  const was = partsOfModel(before);
  for (const [key, { name }] of changedEntries(was, partsOfModel(after)))
    keys.set(name, [...(keys.get(name) ?? []), key]);
  return [...keys].map(([name, changed]) => {
    const withoutIt = ({ fields, relations }: Model) => ({
      fields: withFormer(fields, before.fields, changed),
      relations: withFormer(relations, before.relations, changed),
    });
    const { fields, relations } = withoutIt(after);
    const isGone = ({ id }: WithId) => ![...fields, ...relations].some((it) => it.id === id);
    const rest = after.relations
      .filter(isGone)
      .reduce((all, it) => withoutRelation(after, it)(all), app);
    const gone = after.fields.filter(isGone).map((field) => field.name);
    const former = changed
      .filter((key) => Object.hasOwn({ ...before, ...after }, key))
      .map((key) => [key, was.get(key)?.value]);
    const model = (it: Model): Model => ({
      ...it,
      ...withoutFields(it, gone),
      ...Object.fromEntries(former),
      ...withoutIt(it),
    });
    return [`${after.name}.${name}`, replaceModel(rest, after, model)];
  });
}

const spellMember = (it: Field | Relation) =>
  'role' in it ? (it.relation ?? (it.role === 'deleted_at' ? 'soft_delete' : it.name)) : it.name;

function partsOfModel(model: Model) {
  const settings = Object.entries(model).filter(([key]) => !otherKeys.has(key));
  const things = [...model.fields, ...model.relations.filter(({ kind }) => kind !== 'inverse')];
  return new Map<string, { readonly name: string; readonly value: unknown }>([
    ...things.map((value) => [value.id, { name: spellMember(value), value }] as const),
    ...settings.map(([key, value]) => [key, { name: spellName(key, 'snake'), value }] as const),
  ]);
}

/** Keys of a model that are not settings of it. */
// prettier-ignore
const otherKeys: ReadonlySet<string> = new Set<keyof Model>([
  'id', 'name', 'names', 'table', 'was', 'fields', 'relations', 'extensions',
]);

interface WithId {
  readonly id: string;
}

const byId = <T extends WithId>(things: readonly T[]) => new Map(things.map((it) => [it.id, it]));

/** Entries that were added, changed or removed. A removed one has its old value. */
function changedEntries<T>(before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>) {
  return [...new Map([...before, ...after])].filter(
    ([key]) => JSON.stringify(before.get(key)) !== JSON.stringify(after.get(key)),
  );
}

/** Reverts some items of a list: changes them back, removes them, or puts them back in their former place. */
function withFormer<T extends WithId>(
  now: readonly T[],
  was: readonly T[],
  ids: readonly string[],
): readonly T[] {
  const former = byId(was.filter(({ id }) => ids.includes(id)));
  const stays = now.flatMap((it) => (ids.includes(it.id) ? (former.get(it.id) ?? []) : it));
  return [...former.values()].reduce((all, it) => {
    if (all.includes(it)) return all;
    const above = was.slice(0, was.indexOf(it)).map(({ id }) => id);
    return all.toSpliced(all.findLastIndex(({ id }) => above.includes(id)) + 1, 0, it);
  }, stays);
}
