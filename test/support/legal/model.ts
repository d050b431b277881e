import * as fc from 'fast-check';
import { accessDocument } from './access.ts';
import { fieldsDocument } from './fields.ts';
import { idsOfModels } from './kinds.ts';
import { labels, prose } from './names.ts';
import { maybe, type Document, oneIn, type Pick, shuffled, some } from './pick.ts';
import { relationsDocument } from './relations.ts';
import type { World } from './world.ts';

const endpoints = ['list', 'create', 'read', 'update', 'delete'];

const otherTimes = { created: 'zMadeAt', updated: 'zChangedAt' };

const isDeletedSoftly = ({ soft_delete: said = false }: Document) => said !== false;

/** A model with fields, relations and every option. */
export function modelDocument(world: World, name: string): Document {
  const { pick, roles } = world;
  const relations = relationsDocument(world, name);
  const times = maybe(pick, 'timestamps', [true, false, 'created', otherTimes]);
  const deletion = maybe(pick, 'soft_delete', [true, false, 'zGoneAt']);
  const own = freeNames(times, deletion);
  const taken = new Set([...relations.names, ...(world.taken.get(name) ?? [])]);
  const owner = pick(fc.boolean) ? relations.toUser[0] : undefined;
  const fields = fieldsDocument(world, {
    taken,
    extra: own,
    isCrowded: name === world.home,
    words: [
      ...(owner === undefined ? [] : ['owner']),
      ...relations.toUser.map((relation) => `is ${relation.name}`),
    ],
  });
  const checks = checksDocument(pick);
  const assign = owner !== undefined && pick(fc.boolean);
  const words = ['public', 'authenticated', 'admin', ...roles];
  return {
    ...maybe(pick, 'description', prose),
    ...maybe(pick, 'table', [`App_${name.slice(0, 40)}`]),
    ...maybe(pick, 'path', [`The-${name}`, `the_${name.toLowerCase()}`]),
    ...maybe(pick, 'plural', [`many_${name}`, `${name}Heap`]),
    ...idDocument(pick),
    ...times,
    ...deletion,
    ...(oneIn(pick, 3) && { endpoints: endpointsOf(pick) }),
    ...(oneIn(pick, 10) && { was: `Former${name.slice(0, 40)}` }),
    ...(oneIn(pick, 10) && { 'x-label': pick(fc.constantFrom, ...labels) }),
    ...(owner !== undefined && { owner: assign ? assignedOwner(world, owner.name) : owner.name }),
    ...embedDocument(pick, fields.shown),
    fields: { ...fields.document, ...checks.fields },
    ...(checks.said.length > 0 && { checks: checks.said }),
    ...(Object.keys(relations.document).length > 0 && { relations: relations.document }),
    ...groupsDocument(pick, {
      unique: uniqueGroups(pick, [...fields.orderable, ...relations.keys]).filter((group) =>
        name === world.home
          ? group.some((key) => key === fields.varied)
          : group.some((key) => !fields.fixed.includes(key)),
      ),
      indexed: [...fields.orderable, ...relations.keys],
      ordered: [...fields.shown, ...relations.keys],
    }),
    ...(pick(fc.boolean) && {
      access: accessDocument(world, {
        model: name,
        toOne: relations.toOne,
        fields: fields.orderable,
        times: (times['timestamps'] ?? true) === true,
        softDelete: isDeletedSoftly(deletion),
        words: owner === undefined ? words : [...words, 'owner'],
        // A row that somebody has to own, no stranger makes.
        creators:
          owner?.optional === false || assign ? words.filter((word) => word !== 'public') : words,
      }),
    }),
  };
}

/** What ids are, now and then in a column of another name. */
function idDocument(pick: Pick): Document {
  const [said] = oneIn(pick, 3) ? [pick(fc.constantFrom, ...idsOfModels)] : [];
  if (!oneIn(pick, 4)) return said === undefined ? {} : { id: said };
  const id = typeof said === 'string' ? { type: said } : said;
  return { id: { ...id, column: pick(fc.constantFrom, ...keyColumns) } };
}

const keyColumns = ['zKey', 'KEY_1', 'primary', 'z_key'];

/** Who may name another one. */
function assignedOwner({ pick, roles }: World, relation: string): Document {
  const assign = some(pick, ['user', 'admin', ...roles], { least: 1, most: 3 });
  return { relation, assign: assign.length === 1 ? assign[0] : assign };
}

/** What of a row is shown to those who may not see it. */
export function embedDocument(pick: Pick, names: readonly string[]): Document {
  return oneIn(pick, 3) ? { embed: some(pick, names, { most: 3 }) } : {};
}

interface Names {
  readonly unique: readonly (readonly string[])[];
  readonly indexed: readonly string[];
  readonly ordered: readonly string[];
}

/** Constraints, indexes and an order. */
export function groupsDocument(pick: Pick, { unique, indexed, ordered }: Names): Document {
  const indexes = oneIn(pick, 2) ? [directed(pick, [...indexed, 'id'], 3)] : [];
  const others = oneIn(pick, 4) ? [directed(pick, indexed, 2)] : [];
  const order = directed(pick, [...ordered, 'id'], 5);
  const lists = [...indexes, ...others].filter((keys) => keys.length > 0);
  return {
    ...(unique.length > 0 && { unique: unique.map((keys) => amongSome(pick, keys, indexed)) }),
    ...(lists.length > 0 && { indexes: lists.map((keys) => amongSome(pick, keys, indexed)) }),
    ...(order.length > 0 && pick(fc.boolean) && { order_by: inOneWay(pick, order) }),
  };
}

/** A group, or in one of four cases one that only looks at some rows. */
function amongSome(pick: Pick, keys: readonly string[], names: readonly string[]) {
  const [name] = shuffled(pick, names, { least: 1, most: 1 });
  if (name === undefined || !oneIn(pick, 4)) return keys;
  const asks = pick(fc.constantFrom, 'is null', 'is not null');
  return { fields: keys, where: `${name} ${asks}` };
}

/** Fields of one type, and the order that they keep. */
function checksDocument(pick: Pick): { fields: Document; said: readonly string[] } {
  if (!oneIn(pick, 4)) return { fields: {}, said: [] };
  const types = ['date', 'datetime', 'time', 'int(0..90)', 'bigint', 'float', 'decimal(9,2)'];
  const type = pick(fc.constantFrom, ...types);
  const optional = () => (pick(fc.boolean) ? '?' : '');
  const fields = { zFirst: type, zSecond: `${type}${optional()}`, zThird: `${type}${optional()}` };
  const said = ['zFirst < zSecond', 'zThird >= zSecond'];
  return { fields, said: pick(fc.boolean) ? said : said.slice(0, 1) };
}

/** `a,-b`, or a list. */
function inOneWay(pick: Pick, order: readonly string[]): string | readonly string[] {
  return pick(fc.boolean) ? order.join(', ') : order;
}

function directed(pick: Pick, names: readonly string[], most: number): string[] {
  return shuffled(pick, names, { least: 0, most }).map((name) =>
    pick(fc.boolean) ? name : `-${name}`,
  );
}

function uniqueGroups(pick: Pick, names: readonly string[]): readonly (readonly string[])[] {
  const groups = [
    shuffled(pick, names, { least: 1, most: 3 }),
    shuffled(pick, names, { least: 2, most: 4 }),
  ];
  const drawn = some(
    pick,
    groups.filter((group) => group.length > 0),
  );
  return [...new Map(drawn.map((group) => [group.toSorted().join(), group])).values()];
}

/** What the server calls its own in other models. */
function freeNames(times: Document, deletion: Document): readonly string[] {
  return [
    ...(times['timestamps'] === false ? ['created_at', 'updated_at'] : []),
    ...(isDeletedSoftly(deletion) ? [] : ['deleted_at']),
  ];
}

function endpointsOf(pick: Pick): string | readonly string[] {
  const present = shuffled(pick, endpoints, { least: 0, most: 5 });
  return present.length === 0 ? 'none' : present;
}
