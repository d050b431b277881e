import { type Operator, operators, operatorsOf } from '../list/operators.ts';
import { reservedParameters } from '../list/parameters.ts';
import { parametersAsSent } from './as-sent.ts';
import { visibleFields } from '../path.ts';
import type { TypeName } from '../../database/values.ts';
import { type Field, fieldOf, type Resource } from '../resource.ts';

type Parameters = Readonly<Record<string, object>>;

/** Every parameter of a list, typed; paths over relations are told of in words, for they have no end. */
export function listParameters(resource: Resource): object {
  const filters = visibleFields(resource).flatMap((name) => {
    const field = fieldOf(resource, name);
    return operatorsOf[field.type].map((operator) => [
      parameterName(resource, name, operator),
      operandType(field, operator),
    ]);
  });
  return parametersAsSent({ ...pageParameters(resource), ...Object.fromEntries(filters) });
}

/** Equality is written without its name, except for a field that is called like a parameter. */
function parameterName(resource: Resource, name: string, operator: Operator): string {
  const isPlain = operator === 'eq' && !reservedParameters(resource).includes(name);
  return isPlain ? name : `${name}__${operator}`;
}

function pageParameters(resource: Resource): Parameters {
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
      description: 'Up to five fields: `-created_at,name`, or `created_at:desc,author.name`.',
      ...(resource.orderBy === '' ? {} : { default: resource.orderBy }),
    },
    ...fieldsParameter,
    filter: {
      type: 'string',
      description:
        'For “or”: `["|", [["status", "=", "draft"], ["views", ">", 10]]]`. Any filter may follow relations, as `author.name__icontains` does.',
    },
    ...(resource.softDelete
      ? { deleted: { type: 'string', enum: ['only', 'with'], description: 'For admins.' } }
      : {}),
  };
}

export const fieldsParameter: Parameters = {
  fields: {
    type: 'string',
    description:
      'What to answer of each row: `title,author.name,tags.name`; `*` for all own fields.',
  },
};

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
  email: { ...text, format: 'email' },
  url: { ...text, format: 'uri' },
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
