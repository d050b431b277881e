import type { Entry, Who, Comparison, Operand } from './entry.ts';

/** Writes an entry as a schema file has it. */
export function spellEntry(entry: Entry): string {
  const who = entry.only && entry.if ? '' : spellWho(entry);
  const parts = [entry.only ? 'only' : '', who, spell('if', entry.if), spell('then', entry.after)];
  return parts.filter((part) => part !== '').join(' ');
}

/** Writes all entries in one line. */
export const spellRule = (rule: readonly Entry[]) => rule.map(spellEntry).join(', ');

/** Writes an entry without its condition. */
export function spellWho(who: Who): string {
  switch (who.kind) {
    case 'role':
      return who.role;
    case 'members':
      return who.roles.length === 0 ? who.word : `${who.word}(${who.roles.join(', ')})`;
    case 'shares':
      return `shares ${who.model}`;
    case 'is':
      return `is ${who.relation}`;
    case 'via':
      return `via ${who.relation}${who.operation === undefined ? '' : `.${who.operation}`}`;
    default:
      return who.kind;
  }
}

export function spell(word: string, condition: readonly Comparison[] | undefined): string {
  return condition === undefined ? '' : `${word} ${condition.map(spellComparison).join(' and ')}`;
}

export function spellComparison({ path, operator, values }: Comparison): string {
  const all = values.map(spellOperand).join(', ');
  const compared = operator === 'in' ? `in (${all})` : `${operator} ${all}`.trimEnd();
  return `${path.join('.')} ${compared}`;
}

export function spellOperand(operand: Operand): string {
  if (operand.kind === 'now') return 'now';
  if (operand.kind === 'me') return `me.${operand.path.join('.')}`;
  const isPlain = /^[^\s=<>!(),"']+$/.test(operand.text) && !['now', 'null'].includes(operand.text);
  return isPlain ? operand.text : `"${operand.text}"`;
}
