import type { Draft, DraftModel } from '../draft.ts';
import { guessAccess, openCircles } from '../access.ts';
import { momentColumn, withStorage } from '../storage.ts';
import type { Notebook } from '../notes.ts';
import { timestampsOf } from '../naming.ts';
import { singularName, spellModel } from '../../naming/name.ts';
import type { MomentColumn } from '../../types/found-columns.ts';
import { groupsOf } from './groups.ts';
import { convertKey } from './keys.ts';
import { isMoment, namingOf, noteTimes, timeName, timesOf } from './naming.ts';
import type { PrismaModel, PrismaSchema } from './schema.ts';
import { convertRelations } from './relations.ts';
import { withCapitals, withStoredValues } from './type-names.ts';
import { builtInNames, nameOf, rolesOf } from './users.ts';
import { type ModelScope, convertFields } from './model-fields.ts';
import { attribute, mappedTo, numbersOf } from './values.ts';

/** A Prisma schema in our language; what is not the same is in the notes. */
export function convertPrisma(written: PrismaSchema, notes: Notebook): Draft {
  const schema = withCapitals(withStoredValues(written));
  const models = new Map(schema.models.map((model) => [model.name, model]));
  const enums = new Set(schema.enums.map(({ name }) => name));
  const naming = namingOf(schema);
  const database = schema.provider === 'sqlite' ? 'sqlite' : 'postgres';
  const user = models.get('User');
  const roles = user === undefined ? [] : rolesOf(user, schema, notes);
  for (const { kind, name, place } of schema.others)
    notes.left(place, `${kind} ${name}`, 'it stays in the database');
  for (const { name, place, values } of schema.enums) {
    const isMapped = values.some(({ stored }) => stored !== undefined);
    if (isMapped) notes.changed(place, `enum ${name}`, 'its values are those of the database');
    else notes.exact();
  }
  const drafts = schema.models.map((model) => {
    const related = convertRelations(model, { models, naming, notes });
    return convertModel(model, { related, enums, naming, database, notes });
  });
  const opened = openCircles(drafts, notes);
  const used = new Set(
    opened.flatMap(({ fields }) => [...fields.values()].map(({ type }) => type.replace('?', ''))),
  );
  const needed = schema.enums.filter(({ name }) => used.has(name));
  const inPostgres = database === 'postgres' ? schema.models : [];
  return withStorage(
    {
      database,
      naming,
      roles,
      userName: user && nameOf(user)?.isOptional !== false ? 'optional' : undefined,
      enums: new Map(needed.map(({ name, values }) => [name, values.map((it) => it.name)])),
      models: guessAccess(opened, notes),
    },
    {
      moments: inPostgres.flatMap(momentsIn),
      small: inPostgres.flatMap(smallIds),
      unordered: inPostgres.flatMap(textsOf),
      bare: inPostgres.flatMap(bareIndexes),
      types: database === 'postgres' ? needed.map(({ name, type }) => [name, type]) : [],
    },
  );
}

/** `DateTime` is a `timestamp(3)` unless it says more. */
function momentsIn({ fields }: PrismaModel): readonly MomentColumn[] {
  return fields.filter(isMoment).map((field) => {
    const zoned = attribute(field, 'db.Timestamptz');
    const said = zoned ?? attribute(field, 'db.Timestamp');
    const [digits] = said === undefined ? [3] : numbersOf(said);
    return momentColumn(zoned !== undefined, digits);
  });
}

function smallIds({ fields }: PrismaModel): readonly boolean[] {
  const ids = fields.filter((field) => field.name === 'id' || attribute(field, 'id') !== undefined);
  return ids.filter(({ type }) => /^(?:Big)?Int$/.test(type)).map(({ type }) => type === 'Int');
}

const textsOf = ({ fields }: PrismaModel) =>
  fields.filter(({ type }) => type === 'String').map(() => true);

const bareIndexes = ({ attributes }: PrismaModel) =>
  attributes.filter(({ name }) => name === 'index').map(() => true);

function convertModel(model: PrismaModel, scope: ModelScope): DraftModel {
  const { related, naming, notes } = scope;
  const { relations, keys } = related;
  const isUser = model.name === 'User';
  const times = timesOf(model);
  const id = convertKey(model, keys, notes);
  noteTimes(model, times, naming, notes);
  const [created, updated] = [times.created, times.updated].map(
    (it) => it && { name: timeName(it, naming), former: it.name, nullable: it.isOptional },
  );
  const ofTimes = [created, updated].flatMap((it) => it ?? []);
  const kept = [id.field ?? [], ...ofTimes.flatMap(({ name, former }) => [name, former])].flat();
  const builtIn = isUser ? builtInNames(naming) : [];
  const fields = convertFields(model, { ...scope, kept, builtIn });
  const groups = groupsOf(model, {
    fields,
    keys: new Map([
      ...keys,
      ...ofTimes.map(({ name, former }) => [former, name] as const),
      ...(id.field === undefined ? [] : [[id.field, 'id'] as const]),
    ]),
    kept: [...kept, ...builtIn],
    notes,
    extra: id.unique,
  });
  return {
    name: model.name,
    description: model.description,
    table: otherTable(model),
    plural: singularName(model.name) && spellModel(model.name).snakePlural,
    id: id.kind,
    timestamps: timestampsOf({ created, updated }, naming, isUser),
    fields: groups.fields,
    relations: new Map(
      [...relations].map(([name, relation]) => {
        return [name, groups.uniqueKeys.has(name) ? { ...relation, unique: true } : relation];
      }),
    ),
    unique: groups.unique,
    indexes: groups.indexes,
  };
}

/** What the database calls it, where the schema has to say it. */
function otherTable(model: PrismaModel): string | undefined {
  const table = mappedTo(model) ?? model.name;
  return table === spellModel(model.name).snakePlural ? undefined : table;
}
