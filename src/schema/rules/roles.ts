import { accessKeywords } from '../entry.ts';
import { declaredRoles, type SchemaRule } from '../facts.ts';
import type { Located } from '../language.ts';
import { listRepeats } from '../scope.ts';

const builtInRoles = ['user', 'admin'];

export const rolesAreNames: SchemaRule = ({ schema }, report) => {
  const roles = declaredRoles(schema);
  const repeated = listRepeats(roles, ({ value }) => value.toLowerCase());
  for (const role of roles) {
    const flaw = roleFlaw(role, repeated);
    if (flaw === undefined) continue;
    const name = role.value === '' ? 'an empty string' : `\`${role.value}\``;
    const help = 'remove it, or choose another name';
    report({ code: 'SCF704', at: role.at, message: `${name} cannot be a role: ${flaw}`, help });
  }
};

function roleFlaw(
  role: Located<string>,
  repeated: ReadonlySet<Located<string>>,
): string | undefined {
  const folded = role.value.toLowerCase();
  if (builtInRoles.includes(folded)) return 'it always exists, so it is not listed';
  if (accessKeywords.includes(folded)) return 'the word has a meaning of its own in `access`';
  if (['undefined', 'null'].includes(folded)) return 'it is a reserved word';
  if (repeated.has(role)) return 'it is listed twice';
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(role.value))
    return 'it must begin with a letter, followed by letters, digits and `_`';
  return role.value.length > 63 ? 'it has more than 63 characters' : undefined;
}
