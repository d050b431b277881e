import { accessKeywords } from '../entry.ts';
import { declaredRoles, type SchemaRule } from '../facts.ts';

const builtInRoles = ['user', 'admin'];

export const rolesAreNames: SchemaRule = ({ schema }, report) => {
  const seen = new Set<string>();
  for (const { value, at } of declaredRoles(schema)) {
    const flaw = roleFlaw(value, seen);
    seen.add(value.toLowerCase());
    if (flaw !== undefined) {
      const role = value === '' ? 'an empty string' : `\`${value}\``;
      const help = 'remove it, or choose another name';
      report({ code: 'SCF704', at, message: `${role} cannot be a role: ${flaw}`, help });
    }
  }
};

function roleFlaw(role: string, seen: ReadonlySet<string>): string | undefined {
  const folded = role.toLowerCase();
  if (builtInRoles.includes(folded)) return 'it always exists, so it is not listed';
  if (accessKeywords.includes(folded)) return 'the word has a meaning of its own in `access`';
  if (['undefined', 'null'].includes(folded)) return 'it is a reserved word';
  if (seen.has(folded)) return 'it is listed twice';
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(role))
    return 'it must begin with a letter, followed by letters, digits and `_`';
  return role.length > 63 ? 'it has more than 63 characters' : undefined;
}
