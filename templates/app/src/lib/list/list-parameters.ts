import type { TypeName } from '../../database/values.ts';
import { visibleFields } from '../path.ts';
import { type Field, fieldOf, type Resource } from '../resource.ts';
import { parametersAsSent } from '../types.ts';
import { type Operator, operators, operatorsOf } from './operators.ts';
import { reservedParameters } from './query-string.ts';

type Parameters = Readonly<Record<string, object>>;

/** Every parameter of a list, typed; paths over relations are described in words, for they have no end. */
export function listParameters(resource: Resource): object {
  return parametersAsSent({
    ...pageParameters(resource),
    ...fieldsParameter(resource),
    filters: filtersParameter(resource),
    filter: {
      type: 'string',
      description: `The same as JSON, for “or” and nesting: \`${exampleFilter(resource)}\`.`,
    },
    ...(resource.softDelete
      ? { deleted: { type: 'string', enum: ['only', 'with'], description: 'For admins.' } }
      : {}),
    ...ownParameters(resource),
  });
}

function ownParameters({ parameters = {} }: Resource): Parameters {
  const own = Object.entries(parameters);
  return Object.fromEntries(own.map(([name, { description }]) => [name, { ...text, description }]));
}

function pageParameters({ orderBy }: Resource): Parameters {
  return {
    limit: { type: 'integer', minimum: 0, maximum: 1000, default: 50 },
    offset: { type: 'integer', minimum: 0, default: 0 },
    cursor: {
      type: 'string',
      description:
        'The `next_cursor` of the page before: as fast at the end of a list as at its start.',
    },
    count: { type: 'string', enum: ['exact', 'estimated', 'none'], default: 'exact' },
    order_by: {
      type: 'string',
      description:
        'Up to five fields, separated by commas; `-` in front of one reverses its order.',
      ...(orderBy === '' ? {} : { default: orderBy }),
    },
  };
}

export function fieldsParameter(resource: Resource): Parameters {
  const [related] = relatedFields(resource);
  const names = [...ownFields(resource).slice(0, 2), ...(related ? [related] : [])];
  return {
    fields: {
      type: 'string',
      description: `What to answer of each row: \`${names.join(',')}\`; \`*\` for all own fields.`,
    },
  };
}

/** How a list is filtered, for its description. */
export function filterNote(resource: Resource): string {
  const [related] = relatedFields(resource);
  const path = related === undefined ? '' : ` Fields of related rows as well: \`${related}=…\`.`;
  return `Filter by any field, \`field=value\`, or with an operator, \`field__operator=value\`.${path}`;
}

/** One parameter to read, which is as many in the URL as it has properties that are set. */
function filtersParameter(resource: Resource): object {
  const filters = visibleFields(resource).map((name) => {
    const field = fieldOf(resource, name);
    const [first = 'eq', ...others] = operatorsOf[field.type].toSorted(equalityFirst);
    const names = others.map((operator) => `\`${parameterName(resource, name, operator)}\``);
    const description = names.length === 0 ? '' : `Also ${names.join(', ')}.`;
    return [parameterName(resource, name, first), { ...operandType(field, first), description }];
  });
  return {
    type: 'object',
    style: 'form',
    explode: true,
    description: filterNote(resource),
    properties: Object.fromEntries(filters),
    additionalProperties: { type: 'string' },
  };
}

function equalityFirst(left: Operator, right: Operator): number {
  return Number(right === 'eq') - Number(left === 'eq');
}

/** Equality is written without its name, except for a field that is called like a parameter. */
function parameterName(resource: Resource, name: string, operator: Operator): string {
  const isPlain = operator === 'eq' && !reservedParameters(resource).includes(name);
  return isPlain ? name : `${name}__${operator}`;
}

function ownFields(resource: Resource): readonly string[] {
  return visibleFields(resource).filter((name) => name !== 'id');
}

/** `author.name` */
function relatedFields({ relations }: Resource): readonly string[] {
  return Object.entries(relations).flatMap(([name, { to }]) => {
    const [field] = ownFields(to());
    return field === undefined ? [] : [`${name}.${field}`];
  });
}

/** Of fields that this model has. */
function exampleFilter(resource: Resource): string {
  const [first = 'id', second = 'id'] = ownFields(resource).filter((name) =>
    operatorsOf[fieldOf(resource, name).type].includes('eq'),
  );
  const condition = (name: string) => [name, '=', exampleOperand(fieldOf(resource, name))];
  return JSON.stringify(['|', [condition(first), condition(second)]]);
}

function exampleOperand({ type, values }: Field): unknown {
  if (values !== undefined) return values[0];
  if (type === 'bool') return true;
  return ['int', 'float', 'id'].includes(type) ? 1 : '…';
}

function operandType(field: Field, operator: Operator): object {
  switch (operators[operator].takes) {
    case 'value':
      return valueType(field);
    case 'truth':
      return { type: 'boolean' };
    case 'pair':
      return { type: 'string', description: 'Two values, separated by a comma.' };
    case 'list':
      return { type: 'string', description: 'Values, separated by commas.' };
    default:
      return { type: 'string' };
  }
}

function valueType({ type, values }: Field): object {
  return values === undefined ? valueTypes[type] : { type: 'string', enum: values };
}

const text = { type: 'string' };

const valueTypes: Readonly<Record<TypeName, object>> = {
  string: text,
  text,
  email: { ...text, format: 'idn-email' },
  url: { ...text, format: 'iri' },
  int: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  bigint: { ...text, format: 'int64' },
  float: { type: 'number' },
  decimal: text,
  bool: { type: 'boolean' },
  date: { ...text, format: 'date' },
  time: { ...text, format: 'partial-time' },
  datetime: { ...text, format: 'date-time' },
  uuid: { ...text, format: 'uuid' },
  json: text,
  bytes: text,
  enum: text,
  id: { type: 'integer', minimum: 0 },
};
