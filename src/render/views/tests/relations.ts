import type { App, Model, Relation } from '../../../model/app.ts';
import { getField, getModel, isToMany } from '../../../model/lookups.ts';
import { tsObject, tsString } from '../../typescript.ts';
import { judgeVisitor, chooseReader } from './access-table.ts';
import { allowsMoreRows } from './unique-values.ts';
import {
  printArgument,
  printClient,
  printEntry,
  printFunction,
  printMaking,
  printObject,
} from './print.ts';

/** Tests of what lists embed from the other side of relations, and of filters over them. */
export function relationViews(model: Model, app: App) {
  // Each of these tests creates a row.
  if (!allowsMoreRows(model, app)) return [];
  const reader = chooseReader(model, app);
  return model.relations.flatMap((relation) => {
    const target = getModel(relation.target, app);
    const made = printSteps(relation, model, target, app);
    if (made === undefined || isRuled(relation, model, target)) return [];
    const operation = relation.kind === 'inverse' ? 'list' : 'read';
    const readable = judgeVisitor(reader, operation, target, app);
    const unread = hiddenAs(relation, target, app);
    return [
      printArgument({
        path: 'path',
        name: tsString(relation.name),
        make: printFunction('async () =>', ...made, 'return { here, there };'),
        shown: `(there) => ${isToMany(relation, app) ? '[{ id: there.id }]' : '({ id: there.id })'}`,
        viewer: printClient(readable === true ? reader : 'admin'),
        hidden:
          readable === false && unread.guess !== undefined
            ? tsObject({ from: printClient(reader), ...unread })
            : undefined,
      }),
    ];
  });
}

/** What visitors see who may not read the other side, and a filter that finds nothing for them. */
function hiddenAs(relation: Relation, target: Model, app: App) {
  const { name } = relation;
  if (relation.kind !== 'one' || target.embed.length === 0) {
    return {
      fields: tsString(`${name}.id`),
      answer: `() => ${isToMany(relation, app) ? '[]' : 'null'}`,
      guess: tsString(`${name}.id__isnull=false`),
    };
  }
  const open = target.fields.filter(({ hidden, read }) => !hidden && read === undefined);
  const shown = open.filter((field) => field.role === 'id' || target.embed.includes(field.name));
  const secret = open.find((field) => !shown.includes(field));
  return {
    fields: tsString(`${name}.*`),
    answer: `(there) => (${printObject(shown.map(({ name: of }) => printEntry(of, `there.${of}`)))})`,
    guess: secret && tsString(`${name}.${secret.name}__isnull=false`),
  };
}

/** Whether some readers of a row may not follow the relation. */
function isRuled(relation: Relation, model: Model, target: Model): boolean {
  if (relation.kind === 'links') {
    const otherSide = target.relations.find(
      (other) => other.kind === 'links' && other.name === relation.inverse,
    );
    return [relation, otherSide].some((side) => side?.kind === 'links' && side.read !== undefined);
  }
  const [holder, name] = relation.kind === 'one' ? [model, relation.name] : [target, relation.of];
  return getField(holder, name).read !== undefined;
}

/** Prints statements that create the rows `here` and `there`. */
function printSteps(relation: Relation, model: Model, target: Model, app: App) {
  if (target === model) return undefined;
  if (relation.kind === 'one') {
    const values = `{ ${printEntry(relation.key, 'there.id')} }`;
    return getField(model, relation.key).nullable
      ? undefined
      : [declareRow('there', target), declareRow('here', model, values)];
  }
  if (relation.kind === 'links') {
    if (relation.through !== undefined || relation.idsField === undefined) return undefined;
    const values = `{ ${printEntry(relation.idsField, '[there.id]')} }`;
    return [declareRow('there', target), declareRow('here', model, values)];
  }
  const key = getField(target, relation.of);
  if (key.nullable || !allowsMoreRows(target, app)) return undefined;
  return [
    declareRow('here', model),
    declareRow('there', target, `{ ${printEntry(key.name, 'here.id')} }`),
  ];
}

const declareRow = (name: string, model: Model, values = '') =>
  `const ${name} = ${printMaking(model, values)};`;
