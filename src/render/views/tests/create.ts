import {
  type App,
  type Field,
  type Json,
  type Model,
  type Endpoint,
  type Entry,
  isIdList,
  modelOf,
  valuesOf,
} from '../../../model/app.ts';
import { fieldTypes } from '../../../types/all.ts';
import { code, type Code, type Member, textOf, tsObject, tsValue } from '../../typescript.ts';
import { isPassword, ownerKey, ruledNames, sentLinks } from '../field-type.ts';
import { admitsAll, admitsRow, answerTo, visitorsOf } from './access-table.ts';
import {
  assignedKeys,
  type ExampleRows,
  isLeftNull,
  isRequired,
  isRoomy,
  isSent,
  presetOf,
  sentKeys,
  targetOf,
} from './example-rows.ts';
import { exampleValues } from './example-values.ts';
import { entries, entry, madeOf, missingId, objectOf, pointersTo, clientOf } from './printed.ts';

/** `POST /api/posts/`: bodies and answers. */
export function createView(model: Model, rows: ExampleRows, app: App) {
  const { full, brief, secrets } = rows;
  const keys = sentKeys(model).some(isRequired) ? ['...(await keys())'] : [];
  const hidden = Object.keys(secrets).length > 0 ? ['...secrets'] : [];
  const required = requiredNames(model);
  const whole = ['...full', ...hidden, ...keys];
  const [taken, ...others] = repeatedConstraints(model, rows);
  return {
    body: objectOf(['...full', ...keys, ...linksOf(model, app)]),
    sent: objectOf(['...body', ...hidden]),
    answer: answerOf(model, full),
    brief: brief !== undefined && {
      sent: objectOf(['...brief', ...hidden, ...keys]),
      answer: objectOf(['...brief', ...presetsOf(model, brief)]),
    },
    whole: objectOf(whole),
    assigned: assignmentView(model, whole, app),
    missing: required.length > 0 && pointersTo(required),
    refused: refusals(model, app, whole, hidden),
    // Of two constraints that are broken at once, either may be named.
    taken: taken !== undefined && others.length === 0 && pointersTo(namedOf(taken, model)),
  };
}

/** The fields of a broken constraint that an answer names: those that a client sends, if there are any. */
function namedOf(constraint: readonly string[], model: Model): readonly string[] {
  const fields = [...model.fields.filter(isSent), ...sentKeys(model), ...assignedKeys(model)];
  const sent = fields.map(({ name }) => name);
  const named = constraint.filter((name) => sent.includes(name));
  return named.length === 0 ? constraint : named;
}

/** Bodies of which some fields are wrong, and the pointers to these; `whole` spreads a body that is accepted. */
function refusals(model: Model, app: App, whole: readonly string[], hidden: readonly string[]) {
  const wrong = wrongValues(model, app);
  const lost = lostKeys(model, app);
  const gone = goneTarget(model, app);
  return [
    ...(wrong.length > 0
      ? [refusal('points to every value of a wrong type', wrong, ['...full', ...hidden])]
      : []),
    {
      title: 'refuses fields that only the server sets, or nobody',
      lines: [],
      body: objectOf([...whole, '...refused']),
      pointers: code('pointersTo(refused)'),
    },
    ...(lost.length > 0 ? [refusal('refuses ids that no row has', lost, whole)] : []),
    ...(gone ? [{ ...gone, body: objectOf([...whole, entry(gone.key, 'id')]) }] : []),
  ];
}

const refusal = (title: string, wrongs: readonly Member[], body: readonly string[]) => ({
  title,
  lines: [{ line: code(`const wrong = ${textOf(entries(wrongs))};`) }],
  body: objectOf([...body, '...wrong']),
  pointers: code('pointersTo(wrong)'),
});

function requiredNames(model: Model): readonly string[] {
  const fields = [...model.fields.filter(isSent), ...sentKeys(model)];
  return fields.filter(isRequired).map(({ name }) => name);
}

/** `tag_ids: [(await api.make.tag()).id]` */
function linksOf(model: Model, app: App): readonly string[] {
  return sentLinks(model).map(({ idsField, target }) => {
    const other = modelOf(target, app);
    // There may be no room for one more row beside the one that is sent.
    const isMade = other !== model || isRoomy(model, app);
    return entry(idsField, isMade ? `[${madeOf(other)}.id]` : '[]');
  });
}

/** What was sent, and what the server added. */
function answerOf(model: Model, sent: Readonly<Record<string, Json>>): Code {
  const keys = sentKeys(model).filter(isRequired);
  const fields = model.fields
    .filter((field) => !field.hidden && !Object.hasOwn(sent, field.name) && !keys.includes(field))
    .map((field) => entry(field.name, valueIn(field, model)));
  const links = linksThrough(model).map(({ idsField }) => entry(idsField, '[]'));
  return objectOf(['...body', ...fields, ...links]);
}

/** What is known of a row that was given less. */
function presetsOf(model: Model, sent: Readonly<Record<string, Json>>): readonly string[] {
  const fields = model.fields
    .filter(({ name, hidden, role }) => !hidden && !Object.hasOwn(sent, name) && role !== 'key')
    .flatMap((field) => {
      const value = knownValue(field, model);
      return value === undefined ? [] : [entry(field.name, value)];
    });
  return [...fields, ...sentLinks(model).map(({ idsField }) => entry(idsField, '[]'))];
}

function valueIn(field: Field, model: Model): string {
  const isNumber = field.role === 'id' && model.idType === 'int';
  return knownValue(field, model) ?? `expect.any(${isNumber ? 'Number' : 'String'})`;
}

/** Undefined for what is made when the row is written. */
function knownValue(field: Field, model: Model): string | undefined {
  if (field.name === ownerKey(model)) return 'admin.user.id';
  const preset = presetOf(field);
  if (preset !== undefined) return tsValue(preset);
  return isLeftNull(field) ? 'null' : undefined;
}

/** For each field that a client sends, something that is not a value of its type; of JSON, anything is. */
function wrongValues(model: Model, app: App): readonly Member[] {
  const fields = model.fields
    .filter((field) => isSent(field) && field.type.kind !== 'json')
    .map((field) => ({ name: field.name, value: tsValue(wrongValue(field, app)) }));
  const keys = sentKeys(model).map(({ name }) => ({ name, value: "'nobody'" }));
  const links = sentLinks(model).map(({ idsField }) => ({ name: idsField, value: "'none'" }));
  return [...fields, ...keys, ...links];
}

function wrongValue(field: Field, app: App): Json {
  const { wrong } = fieldTypes[field.type.kind];
  return valuesOf(field, app).some(({ value }) => value === wrong) ? 7 : wrong;
}

/** Fields that only the server sets, and one that does not exist. */
export function strangeValues(model: Model): readonly Member[] {
  const keys = [...sentKeys(model), ...assignedKeys(model)];
  const fields = model.fields.filter((field) => !isSent(field) && !keys.includes(field));
  return [
    ...fields.map(({ name }) => name),
    ...linksThrough(model).map(({ idsField }) => idsField),
    'nobody_knows_this',
  ].map((name) => ({ name, value: '7' }));
}

/** Lists of ids that are read, and written through the model between. */
function linksThrough(model: Model) {
  return model.relations.filter(isIdList).filter(({ through }) => through !== undefined);
}

/** Keys to rows that do not exist. */
function lostKeys(model: Model, app: App): readonly Member[] {
  const keys = sentKeys(model).map((key) => ({
    name: key.name,
    value: missingId(targetOf(key, model, app) ?? model),
  }));
  const links = sentLinks(model).map(({ idsField, target }) => ({
    name: idsField,
    value: `[${missingId(modelOf(target, app) ?? model)}]`,
  }));
  return [...keys, ...links];
}

/** A key to a row that can be deleted and is kept. */
function goneTarget(model: Model, app: App) {
  const key = sentKeys(model).find((each) => {
    const target = targetOf(each, model, app);
    return target?.softDelete === true && target.endpoints.includes('delete') && target !== model;
  });
  const target = key && targetOf(key, model, app);
  if (key === undefined || target === undefined) return undefined;
  return {
    key: key.name,
    title: `refuses a ${target.names.human} that was deleted`,
    lines: [
      `const { id } = ${madeOf(target).slice(1, -1)};`,
      `await admin.delete(\`${app.apiPrefix}/${target.path}/\${id}\`);`,
    ].map((line) => ({ line: code(line) })),
    pointers: pointersTo([key.name]),
  };
}

/** The constraints that an admin breaks who sends the full row twice. */
function repeatedConstraints(model: Model, { full, secrets }: ExampleRows) {
  const isSame = (name: string) => {
    const field = model.fields.find((each) => each.name === name);
    if (field === undefined) return false;
    if (Object.hasOwn(full, name) || Object.hasOwn(secrets, name)) return true;
    if (field.role === 'key') return isRequired(field) || name === ownerKey(model);
    return presetOf(field) !== undefined;
  };
  return model.unique.map(({ fields }) => fields).filter((names) => names.every(isSame));
}

/** `PATCH /api/posts/:id`: bodies and answers. */
export function updateView(model: Model, rows: ExampleRows, app: App) {
  const changed = changedField(model, rows, app);
  const change = [
    ...(changed ? [entry(changed.name, tsValue(changed.value))] : []),
    ...linksOf(model, app),
  ];
  const isStamped = model.timestamps && change.length > 0;
  const nulls = model.fields.filter(
    (field) => Object.hasOwn(rows.full, field.name) && isChangeable(field, model) && field.nullable,
  );
  const fixed = model.fields
    .filter((field) => (isSent(field) && field.immutable) || isPassword(field))
    .concat(assignedKeys(model))
    .map(({ name }) => entry(name, '7'));
  const taken = takenConstraint(model, rows);
  return {
    change: objectOf(change),
    stamp: code(isStamped ? `, updated_at: ${later}` : ''),
    nulls: nulls.length > 0 && entries(nulls.map(({ name }) => ({ name, value: 'null' }))),
    refused: objectOf(['...refused', ...fixed]),
    taken: taken !== undefined && objectOf(taken.map((name) => entry(name, `full.${name}`))),
  };
}

const later = 'expect.toSatisfy((time) => time > before.updated_at)';

function isChangeable(field: Field, model: Model): boolean {
  if (field.hidden || field.immutable) return false;
  return isSent(field) || sentKeys(model).includes(field);
}

/** The first field that holds another value in a second row, and none that a constraint looks at if there is one. */
function changedField(model: Model, { full }: ExampleRows, app: App) {
  const candidates = model.fields
    .filter((field) => isChangeable(field, model) && isSent(field))
    .flatMap((field) => {
      const value = exampleValues(model, field, app)[1];
      return value === undefined || value === full[field.name] ? [] : [{ name: field.name, value }];
    });
  const isConstrained = ({ name }: { readonly name: string }) =>
    model.unique.some(({ fields }) => fields.includes(name));
  return candidates.find((each) => !isConstrained(each)) ?? candidates[0];
}

/** A constraint that the brief row breaks when it takes what the full one has. */
function takenConstraint(model: Model, { full, brief }: ExampleRows) {
  if (brief === undefined) return undefined;
  return model.unique
    .map(({ fields }) => fields)
    .find((names) =>
      names.every((name) => {
        const field = model.fields.find((each) => each.name === name);
        return Object.hasOwn(full, name) && field !== undefined && isChangeable(field, model);
      }),
    );
}

/** Who is shown which fields, may filter by them, and may write them: `{ cost: { public: 'hidden', … } }`. */
export function fieldRulesView(model: Model, rows: ExampleRows, app: App) {
  const ruled = ruledNames(model);
  const seen = ruled.flatMap(({ name, read }) =>
    read === undefined ? [] : [{ name, rule: read }],
  );
  const compared = seen.filter(({ name }) => model.fields.some((field) => field.name === name));
  const written = ruled.flatMap(({ name, write }) =>
    write !== undefined && isChanged(name, model, rows) ? [{ name, rule: write }] : [],
  );
  const answers = tsObject({
    shown: tableOf('read', seen, admitsRow, ["'shown'", "'hidden'"]),
    filtered: tableOf('list', compared, admitsAll, ['200', '422']),
    written: tableOf('update', written, admitsRow, ['200', '422']),
  });
  return answers !== '{}' && { answers: code(answers) };

  function tableOf(
    operation: Endpoint,
    fields: readonly { readonly name: string; readonly rule: readonly Entry[] }[],
    admits: (visitor: string, rule: readonly Entry[]) => boolean,
    [yes, no]: readonly [string, string],
  ): string | undefined {
    const visitors = visitorsOf(operation, model, app);
    if (fields.length === 0 || visitors.length === 0) return undefined;
    const lines = fields.map(({ name, rule }) => [
      name,
      tsObject(
        Object.fromEntries(visitors.map((visitor) => [visitor, admits(visitor, rule) ? yes : no])),
      ),
    ]);
    return tsObject(Object.fromEntries(lines));
  }
}

/** Whether the tests have a value for it that may be sent again. */
function isChanged(name: string, model: Model, { full }: ExampleRows): boolean {
  const field = model.fields.find((each) => each.name === name);
  return field !== undefined && !field.immutable && Object.hasOwn(full, name);
}

/** How the owner of a new row is named, and by whom it may not be. */
function assignmentView(model: Model, whole: readonly string[], app: App) {
  const key = ownerKey(model);
  if (model.assign === undefined || key === undefined) return false;
  const { assign } = model;
  const maker = app.roles.find(
    (role) => !assign.includes(role) && answerTo(role, 'create', model, app) === '201',
  );
  return {
    key,
    sent: objectOf([...whole, entry(key, 'user.id')]),
    maker: maker !== undefined && maker !== 'admin' && clientOf(maker),
    refused: pointersTo([key]),
  };
}
