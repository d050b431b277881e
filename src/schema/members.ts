import { present } from '../present.ts';
import type { Comparison } from './entry.ts';
import { type Facts, type MemberRows, toOneRelations } from './facts.ts';
import type { MembersSchema } from './keys/people.ts';
import { parseCondition } from './parse-entry.ts';
import { type Flaw, isFlaw } from './scope.ts';
import { suggest } from './suggest.ts';
import { isUserName } from './user.ts';

/** Undefined for an invalid schema. */
export function findMembers(kind: MembersSchema, { memberRows }: Facts): MemberRows | undefined {
  const found = memberRows.get(kind);
  return found === undefined || isFlaw(found) ? undefined : found;
}

/** The rows that make the members of a model, or why there are none. */
export function chooseMemberRows(
  { by: written, if: condition }: MembersSchema,
  model: string,
  { byName, enums }: Pick<Facts, 'byName' | 'enums'>,
): MemberRows | Flaw {
  const [type = '', person] = written.value.split('.');
  const by = byName.get(type);
  if (by === undefined)
    return { message: `there is no model \`${type}\``, help: suggest(type, [...byName.keys()]) };
  const keys = toOneRelations(by.schema);
  const users = keys.filter(
    ({ to, name }) => isUserName(to) && (person ?? name.value) === name.value,
  );
  const [user] = users;
  const rows = keys.filter((key) => key.to.value === model && key !== user);
  const [of] = rows;
  const isNamed = user !== undefined || (by.schema.link !== undefined && person === undefined);
  if (of === undefined || !isNamed) {
    const help = `give ${type} a to-one relation to each`;
    return { message: `${type} does not lead to ${model} and to \`User\``, help };
  }
  if (users.length > 1) {
    const names = users.map((key) => `\`${type}.${key.name.value}\``).join(' or ');
    return { message: `${type} leads to several users`, help: `choose one: ${names}` };
  }
  if (rows.length > 1) {
    const help = `keep one, and put the others in a model of their own`;
    return { message: `${type} leads to several rows of ${model}`, help };
  }
  const role = by.schema.fields.find((it) => it.name.value === 'role' && enums.has(it.type.value));
  const roles = role === undefined ? [] : (enums.get(role.type.value) ?? []);
  const counted = condition === undefined ? [] : parseCondition(condition.value);
  if (isFlaw(counted)) return counted;
  return { by, of, roles, condition: counted, ...present({ user, role }) };
}

/** A value for which a comparison holds, as text, or null. */
export function valueSetBy({ path, operator, values }: Comparison): string | null | undefined {
  if (path.length > 1) return undefined;
  if (operator === 'is null') return null;
  const [value] = operator === '=' || operator === 'in' ? values : [];
  return value?.kind === 'literal' ? value.text : undefined;
}
