import type { App, Model, Relation } from '../../../model/app.ts';
import { findModel, findToOne } from '../../../model/lookups.ts';
import { sourceText, tsObject, tsString } from '../../typescript.ts';
import { isAdmitted, readerOf } from './access-table.ts';
import { isRoomy } from './room.ts';
import { argument, clientOf, entry, inSteps, makingOf, printObject } from './printed.ts';

/** What a list shows of the rows on the other side, and filters by. */
export function relationViews(model: Model, app: App) {
  // Each of these tests makes one row more.
  if (!isRoomy(model, app)) return [];
  const reader = readerOf(model, app);
  return model.relations.flatMap((relation) => {
    const target = findModel(relation.target, app);
    const made = target && stepsOf(relation, model, target, app);
    if (target === undefined || made === undefined || isRuled(relation, model, target)) return [];
    const operation = relation.kind === 'inverse' ? 'list' : 'read';
    const readable = isAdmitted(reader, operation, target, app);
    const unread = hiddenAs(relation, target);
    return [
      argument({
        path: 'path',
        name: tsString(relation.name),
        make: inSteps('async () =>', ...made, 'return { here, there };'),
        shown: `(there) => ${isList(relation) ? '[{ id: there.id }]' : '({ id: there.id })'}`,
        viewer: clientOf(readable === true ? reader : 'admin'),
        hidden:
          readable === false && unread.guess !== undefined
            ? tsObject({ from: sourceText(clientOf(reader)), ...unread })
            : undefined,
      }),
    ];
  });
}

/** What those see who may not read the other side, and a filter that finds nothing for them. */
function hiddenAs(relation: Relation, target: Model) {
  const { name } = relation;
  if (relation.kind !== 'one' || target.embed.length === 0) {
    return {
      fields: tsString(`${name}.id`),
      answer: `() => ${isList(relation) ? '[]' : 'null'}`,
      guess: tsString(`${name}.id__isnull=false`),
    };
  }
  const open = target.fields.filter(({ hidden, read }) => !hidden && read === undefined);
  const shown = open.filter((field) => field.role === 'id' || target.embed.includes(field.name));
  const secret = open.find((field) => !shown.includes(field));
  return {
    fields: tsString(`${name}.*`),
    answer: `(there) => (${sourceText(printObject(shown.map((field) => entry(field.name, `there.${field.name}`))))})`,
    guess: secret && tsString(`${name}.${secret.name}__isnull=false`),
  };
}

/** Whether not everybody who sees a row sees where the relation leads: a rule of its key, on whichever side that is. */
function isRuled(relation: Relation, model: Model, target: Model): boolean {
  if (relation.kind === 'links') {
    const otherSide = target.relations.find(
      (other) => other.kind === 'links' && other.name === relation.inverse,
    );
    return [relation, otherSide].some((side) => side?.kind === 'links' && side.read !== undefined);
  }
  const [holder, name] = relation.kind === 'one' ? [model, relation.name] : [target, relation.of];
  return holder.fields.some((field) => field.relation === name && field.read !== undefined);
}

/** Makes `here` and `there`, each of which needs a row of its own. */
function stepsOf(relation: Relation, model: Model, target: Model, app: App) {
  if (target === model) return undefined;
  if (relation.kind === 'one') {
    const values = `{ ${entry(relation.key, 'there.id')} }`;
    return relation.optional ? undefined : [lineOf('there', target), lineOf('here', model, values)];
  }
  if (relation.kind === 'links') {
    if (relation.through !== undefined || relation.idsField === undefined) return undefined;
    const values = `{ ${entry(relation.idsField, '[there.id]')} }`;
    return [lineOf('there', target), lineOf('here', model, values)];
  }
  const key = findToOne(target, relation.of);
  if (key === undefined || key.optional || !isRoomy(target, app)) return undefined;
  return [lineOf('here', model), lineOf('there', target, `{ ${entry(key.key, 'here.id')} }`)];
}

const lineOf = (name: string, model: Model, values = '') =>
  `const ${name} = ${makingOf(model, values)};`;

const isList = (relation: Relation) =>
  relation.kind === 'links' || (relation.kind === 'inverse' && !relation.single);
