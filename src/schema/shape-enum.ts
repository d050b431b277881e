import { listedValueKeys, valueKeys } from './keys.ts';
import { present } from './present.ts';
import type { EnumSchema, EnumValueSchema, Located } from './schema.ts';
import { entriesOf, inside, isNull, listOf, openMap, textOf, type Scope } from './shape.ts';
import type { Entry, Node } from './source.ts';

/** A list of values, or a map of value to description. */
export function shapeEnum(entry: Entry, scope: Scope): EnumSchema {
  const inner = inside(scope, entry.name);
  const { name, key, value } = entry;
  const described = value.kind === 'map' ? entriesOf(value, inner) : [];
  const listed = value.kind === 'map' ? [] : listOf(value, inner);
  if (described.length + listed.length === 0 && (value.kind !== 'scalar' || isNull(value))) {
    inner.report({
      code: 'SCF217',
      at: key.at,
      message: `the enum ${name} has no values`,
      help: `list them: \`${name}: [first, second]\``,
    });
  }
  return {
    name: { value: name, at: key.at },
    values: [
      ...described.map((item) => describedValue(item, inner)),
      ...listed.flatMap((item) => listedValue(item, inner)),
    ],
  };
}

function describedValue({ name, key, value }: Entry, scope: Scope): EnumValueSchema {
  const inner = inside(scope, name);
  const located = { value: { value: name, at: key.at } };
  if (isNull(value)) return located;
  if (value.kind !== 'map')
    return { ...located, ...present({ description: textOf(value, inner)?.value }) };
  const map = openMap(value, valueKeys, inner);
  return {
    ...located,
    ...present({
      description: textOf(map.get('description'), inside(inner, 'description'))?.value,
      was: textOf(map.get('was'), inside(inner, 'was')),
    }),
  };
}

function listedValue(node: Node, scope: Scope): EnumValueSchema[] {
  const inner = inside(scope, 'value');
  if (node.kind !== 'map') {
    const value = textOf(node, inner) ?? misread(node);
    return value === undefined ? [] : [{ value }];
  }
  const map = openMap(node, listedValueKeys, inner);
  const value = textOf(map.need('value', 'add one, like `value: draft`'), inner);
  if (value === undefined) return [];
  return [
    {
      value,
      ...present({
        description: textOf(map.get('description'), inner)?.value,
        was: textOf(map.get('was'), inner),
      }),
    },
  ];
}

/** A number or boolean still counts as a value, so that nothing else is missed for it. */
function misread(node: Node): Located<string> | undefined {
  return node.kind === 'scalar' && !isNull(node) ? { value: node.source, at: node.at } : undefined;
}
