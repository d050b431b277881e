import { spellName, uncapitalized } from '../../naming/name.ts';
import type { RelationSchema } from '../keys/relation.ts';
import { suggest } from '../suggest.ts';
import {
  relationRule,
  type Facts,
  type ModelFacts,
  type SchemaRule,
  toOneRelations,
} from '../facts.ts';
import { readAgreement } from '../key-agreement.ts';
import { isFlaw } from '../scope.ts';
import { isUserName } from '../user.ts';

export const targetsExist = relationRule(({ relation, path }, report, facts) => {
  const { byName, enums, hasAccounts } = facts;
  for (const target of [relation.to, relation.through]) {
    if (target === undefined || target.value === '' || byName.has(target.value)) continue;
    const { value, at } = target;
    // A model `room:` is reported already, and a relation to `Room` is right.
    if (byName.has(uncapitalized(value))) continue;
    if (isUserName(target) && !hasAccounts) {
      const message = `${path} refers to a user, but there are no accounts`;
      const help = `leave \`auth: none\` out, or store the name in a field: \`${relation.name.value}: string\``;
      report({ code: 'SCF722', at, message, help });
      continue;
    }
    const message = `${path} refers to unknown model \`${value}\``;
    const isEnum = enums.has(value) && `\`${value}\` is an enum: write it under \`fields:\``;
    report({ code: 'SCF301', at, message, help: isEnum || suggest(value, [...byName.keys()]) });
  }
});

/** Options that only one kind of relation has. */
const manyRefuses = [
  'optional',
  'unique',
  'index',
  'onDelete',
  'onUpdate',
  'column',
  'backfill',
] as const;
const toOneRefuses = ['through'] as const;

export const optionsFitTheRelation = relationRule(({ relation, model, path }, report) => {
  const { many, to, onDelete, keysAt } = relation;
  for (const option of many ? manyRefuses : toOneRefuses) {
    if (relation[option] === undefined || relation[option] === false) continue;
    const key = spellName(option, 'snake');
    const at = keysAt?.[key] ?? relation.name.at;
    const message = `${path} is ${many ? 'many-to-many' : 'to-one'} and has no \`${key}\``;
    const toOne = keysAt['many'] ? 'remove `many`' : `write \`to: ${to.value}\``;
    const help = many
      ? `its pairs are in a table of their own: remove the option, or ${toOne}`
      : `remove the option, or make it many-to-many: \`to: ${to.value}[]\``;
    report({ code: 'SCF309', at, message, help });
  }
  if (!many && !relation.optional && onDelete?.value === 'set_null') {
    const message = `${path} is required, so it cannot be set to null`;
    const help = `make it optional, ${optionalForm(relation)}, or use \`cascade\` or \`restrict\``;
    report({ code: 'SCF303', at: onDelete.at, message, help });
  }
  if (model.isUser && onDelete?.value === 'cascade') {
    const message = `deleting a row of ${to.value} also deletes the accounts that refer to it, even the last admin's`;
    const help = `use \`restrict\`, or \`set_null\` with ${optionalForm(relation)}`;
    report({ code: 'SCF310', severity: 'warning', at: onDelete.at, message, help });
  }
});

/** A model for `through` needs a key to each side. */
export const throughJoinsBoth = relationRule(({ relation, model, path }, report, { byName }) => {
  const { through, many, to } = relation;
  const joining = through && byName.get(through.value);
  if (through === undefined || joining === undefined || !many || !byName.has(to.value)) return;
  const flaw = joinFlaw(joining, model.name, to.value);
  if (flaw === undefined) return;
  const message = `${path} cannot go through ${joining.name}: ${flaw}`;
  const other = to.value === model.name ? 'other' : uncapitalized(to.value);
  const help = `${joining.name} needs exactly one relation to each side, like \`${uncapitalized(model.name)}: ${model.name}\` and \`${other}: ${to.value}\``;
  report({ code: 'SCF305', at: through.at, message, help });
});

export const keysCanAgree = relationRule(({ relation, model, path }, report, facts) => {
  const found = readAgreement(relation, model, facts);
  if (!relation.among || !found || !isFlaw(found)) return;
  const message = `${path}: ${found.message}`;
  report({ ...found, code: 'SCF720', at: relation.among.at, message });
});

function joinFlaw({ schema }: ModelFacts, from: string, to: string): string | undefined {
  const count = (target: string) =>
    toOneRelations(schema).filter(({ to: there }) => there.value === target).length;
  const needed = from === to ? 2 : 1;
  for (const target of new Set([from, to])) {
    if (count(target) !== needed)
      return `it has ${count(target) || 'no'} to-one relation${count(target) > 1 ? 's' : ''} to ${target}${needed === 2 ? ', where two are needed' : ''}`;
  }
  return undefined;
}

/** If required keys form a circle, no first row can be created. */
export const circlesHaveAWayIn: SchemaRule = (facts, report) => {
  const reported = new Set<string>();
  for (const model of facts.models) {
    const circle = shortestCircle(model, facts);
    const key = circle?.toSorted().join(' ');
    const relation = pickRequired(model).find(({ to }) => to.value === circle?.[0]);
    if (circle === undefined || key === undefined || relation === undefined || reported.has(key))
      continue;
    reported.add(key);
    const message = `${[model.name, ...circle].join(' → ')} is a circle of required relations, so the first row could never be created`;
    const help = `make one of them optional, like ${optionalForm(relation)}`;
    report({ code: 'SCF307', at: relation.to.at, message, help });
  }
};

/** A relation that is optional, in the form in which it is written. */
const optionalForm = ({ name, to, keysAt }: RelationSchema) =>
  keysAt['to'] ? `\`to: ${to.value}?\`` : `\`${name.value}: ${to.value}?\``;

function pickRequired({ schema }: ModelFacts): readonly RelationSchema[] {
  return toOneRelations(schema).filter(({ optional }) => !optional);
}

/** The models on the shortest way from a model back to itself, which comes last. */
function shortestCircle(model: ModelFacts, { byName }: Facts): readonly string[] | undefined {
  const ways: string[][] = [[]];
  const seen = new Set<string>();
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    const last = byName.get(way.at(-1) ?? model.name);
    for (const { to } of last === undefined ? [] : pickRequired(last)) {
      if (seen.has(to.value)) continue;
      seen.add(to.value);
      if (to.value === model.name) return [...way, to.value];
      ways.push([...way, to.value]);
    }
  }
  return undefined;
}
