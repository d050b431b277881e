import { present } from '../present.ts';
import { Document, isCollection, isMap, type Pair, Scalar, visit, YAMLSeq } from 'yaml';
import type { Draft } from './convert/convert.ts';
import { type DraftField, type DraftModel, type DraftRelation, spellDraftType } from './draft.ts';

/** Prints `schema.yaml`, with short forms where they suffice. */
export function writeSchema(draft: Draft, appName: string): string {
  const document = new Document({});
  const entry = (key: string, value: unknown) => document.set(key, value);
  entry('version', 1);
  entry('app', flow({ name: appName }));
  entry('database', draft.database);
  const { api, columns } = draft.naming;
  if (api !== columns) entry('naming', flow(draft.naming));
  else if (api === 'camel') entry('naming', api);
  const { roles, ...auth } = draft.auth;
  const settings = {
    storage: draft.storage,
    auth: { roles: roles.length > 0 ? roles : undefined, ...auth },
  };
  for (const [key, values] of Object.entries(settings)) {
    const given = present(values);
    if (Object.keys(given).length > 0) entry(key, flow(given));
  }
  if (draft.enums.size > 0) {
    entry('enums', document.createNode(mapped(draft.enums, flow)));
  }
  const models = document.createNode(
    mapped(new Map(draft.models.map((it) => [it.name, it])), modelNode),
  );
  if (isMap(models)) models.items.slice(1).forEach(setApart);
  entry('models', models);
  visit(document, {
    Seq: (_, list, above) => {
      const isFlow = [list, ...above].some((it) => isCollection(it) && it.flow === true);
      if (isFlow) printShort(list);
    },
  });
  const text = document.toString({ lineWidth: 110, flowCollectionPadding: true });
  return `# yaml-language-server: $schema=./.scaffold/schema.v1.json\n${text}`;
}

/** Prints a list without spaces inside its brackets, as the documentation does. Maps keep theirs. */
function printShort(list: YAMLSeq): void {
  const print = list.toString.bind(list);
  list.flow = true;
  list.toString = (context, ...rest) =>
    print(context && { ...context, flowCollectionPadding: '' }, ...rest);
}

/** Puts an empty line before an entry. */
function setApart({ key }: Pair): void {
  if (key instanceof Scalar) key.spaceBefore = true;
}

const flow = (value: unknown) => new Document().createNode(value, { flow: true });

function mapped<Value>(entries: ReadonlyMap<string, Value>, print: (value: Value) => unknown) {
  return Object.fromEntries([...entries].map(([name, value]) => [name, print(value)]));
}

function modelNode(model: DraftModel) {
  const { name: _, owner, fields, relations, unique, indexes, checks = [], access, ...own } = model;
  const { id, timestamps } = own;
  const groups = (all: DraftModel['unique']) => (all.length > 0 ? all.map(flow) : undefined);
  const entries = present({
    ...own,
    id: typeof id === 'object' ? flow(present({ ...id })) : id,
    timestamps: typeof timestamps === 'object' ? flow(present(timestamps)) : timestamps,
    owner,
    fields: fields.size > 0 ? mapped(fields, fieldNode) : undefined,
    relations: relations.size > 0 ? mapped(relations, relationNode) : undefined,
    unique: groups(unique),
    indexes: groups(indexes),
    checks: checks.length > 0 ? checks : undefined,
    access: access && flow(access),
  });
  return Object.keys(entries).length > 0 ? entries : flow({});
}

function fieldNode(field: DraftField): unknown {
  const { default: value, flags, column, description } = field;
  const type = spellDraftType(field);
  // The type of a decimal already has its digits.
  const { min, max }: Partial<DraftField> = field.type.kind === 'decimal' ? field : {};
  const isShort = [min, max, column, description].every((it) => it === undefined) && isWord(value);
  const initial = value === undefined ? [] : ['=', String(value)];
  if (isShort) return [type, ...initial, ...flags].join(' ');
  const flagged = Object.fromEntries(flags.map((name) => [name, true]));
  return flow(present({ type, min, max, default: value, ...flagged, column, description }));
}

/** Whether the short form can hold a default without quotes. */
function isWord(value: unknown): boolean {
  if (value === undefined || typeof value === 'boolean' || typeof value === 'number') return true;
  return typeof value === 'string' && /^[\w.-]+$/.test(value) && !keyword.test(value);
}

const keyword = /^(?:true|false|null|[-\d.]+)$/;

function relationNode(relation: DraftRelation): unknown {
  const { to, optional, many, unique, on_delete, inverse, ...others } = relation;
  const more = present({ unique, on_delete, inverse, ...others });
  if (Object.keys(more).length > 0) return flow(present({ to, optional, many, ...more }));
  return `${to}${many ? '[]' : optional ? '?' : ''}`;
}
