import { present } from '../present.ts';
import { keyName } from '../naming/name.ts';
import type { Facts, MemberRows, ModelFacts } from '../schema/facts.ts';
import { findMembers, valueSetBy } from '../schema/members.ts';
import { readValue } from '../types/all.ts';
import type { MemberKind, Model } from './app.ts';
import type { Json } from '../types/field-type.ts';

/** The kinds of members of a model's rows; undefined if there are none. */
export function buildMembers(
  model: ModelFacts,
  built: readonly Model[],
  facts: Facts,
): readonly MemberKind[] | undefined {
  const all = model.schema.members.flatMap((kind): MemberKind[] => {
    const found = findMembers(kind, facts);
    const by = built.find(({ name }) => name === found?.by.name);
    if (found === undefined || by === undefined) return [];
    const { role, roles, condition } = found;
    const keyTo = (name: string) => keyName(name, found.by.naming.api);
    return [
      {
        word: kind.word.value,
        by: by.name,
        of: keyTo(found.of.name.value),
        roles,
        ...present({
          user: found.user && keyTo(found.user.name.value),
          role: role?.name.value,
          if: condition.length === 0 ? undefined : condition,
          first: kind.first && firstValues(found, by),
        }),
      },
    ];
  });
  return all.length === 0 ? undefined : all;
}

/** The values of the first member's row: the highest role, and what the condition requires. */
function firstValues({ role, roles, condition }: MemberRows, { fields }: Model) {
  const besides = condition.filter(({ path: [name] }) => name !== role?.name.value);
  const set = besides.map((comparison): [string, Json] => {
    const [name = ''] = comparison.path;
    const field = fields.find((each) => each.name === name || each.relation === name);
    const text = valueSetBy(comparison) ?? null;
    if (field === undefined || text === null) return [field?.name ?? name, null];
    return [field.name, readValue(field.type, text)];
  });
  const highest = roles.at(-1);
  return Object.fromEntries([
    ...(role === undefined || highest === undefined ? [] : [[role.name.value, highest] as const]),
    ...set,
  ]);
}
