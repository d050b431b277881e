import { capitalized, spellName, uncapitalized } from '../../naming/name.ts';
import type { RelationSchema } from '../keys/relation.ts';
import { suggest } from '../suggest.ts';
import { ofModels, type Facts, type ModelFacts, type SchemaRule, toOnes } from '../facts.ts';

export const targetsExist: SchemaRule = ({ models, byName, enums, hasAccounts }, report) => {
  const valid = [...byName.keys()];
  // A model `room:` is reported as such, so a relation to `Room` is right.
  const misnamed = new Set(valid.filter((name) => /^[a-z]/.test(name)).map(capitalized));
  for (const { name: model, schema } of models) {
    for (const { name, to, through } of schema.relations) {
      for (const target of [to, through]) {
        if (target === undefined || target.value === '' || byName.has(target.value)) continue;
        if (misnamed.has(target.value)) continue;
        if (target.value === 'User' && !hasAccounts) {
          const message = `${model}.${name.value} refers to a user, but there are no accounts`;
          const help = `leave \`auth: none\` out, or store the name in a field: \`${name.value}: string\``;
          report({ code: 'SCF722', at: target.at, message, help });
          continue;
        }
        report({
          code: 'SCF301',
          at: target.at,
          message: `${model}.${name.value} refers to unknown model \`${target.value}\``,
          help: enums.has(target.value)
            ? `\`${target.value}\` is an enum: write it under \`fields:\``
            : suggest(target.value, valid),
        });
      }
    }
  }
};

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

export const optionsFitTheRelation = ofModels(({ name: model, schema }, report) => {
  for (const relation of schema.relations) {
    const path = `${model}.${relation.name.value}`;
    for (const option of relation.many ? manyRefuses : toOneRefuses) {
      if (relation[option] === undefined || relation[option] === false) continue;
      const key = spellName(option, 'snake');
      report({
        code: 'SCF309',
        at: relation.keysAt?.[key] ?? relation.name.at,
        message: `${path} is ${relation.many ? 'many-to-many' : 'to-one'} and has no \`${key}\``,
        help: relation.many
          ? `its pairs are in a table of their own: remove the option, or ${relation.keysAt['many'] ? 'remove `many`' : `write \`to: ${relation.to.value}\``}`
          : `remove the option, or make it many-to-many: \`to: ${relation.to.value}[]\``,
      });
    }
    if (!relation.many && !relation.optional && relation.onDelete?.value === 'set_null') {
      const message = `${path} is required, so it cannot be set to null`;
      const help = `make it optional, ${optionalForm(relation)}, or use \`cascade\` or \`restrict\``;
      report({ code: 'SCF303', at: relation.onDelete.at, message, help });
    }
    if (model === 'User' && relation.onDelete?.value === 'cascade') {
      report({
        code: 'SCF310',
        severity: 'warning',
        at: relation.onDelete.at,
        message: `deleting a row of ${relation.to.value} also deletes the accounts that refer to it, even the last admin's`,
        help: `use \`restrict\`, or \`set_null\` with ${optionalForm(relation)}`,
      });
    }
  }
});

/** A model that joins two others has one key to each. */
export const throughJoinsBoth = ofModels((model, report, { byName }) => {
  for (const relation of model.schema.relations) {
    const { through, to, many, name } = relation;
    const joining = through === undefined ? undefined : byName.get(through.value);
    if (through === undefined || joining === undefined || !many || !byName.has(to.value)) continue;
    const flaw = joinFlaw(joining, model.name, to.value);
    if (flaw === undefined) continue;
    const message = `${model.name}.${name.value} cannot go through ${joining.name}: ${flaw}`;
    const help = `${joining.name} needs exactly one relation to each side, like \`${uncapitalized(model.name)}: ${model.name}\` and \`${to.value === model.name ? 'other' : uncapitalized(to.value)}: ${to.value}\``;
    report({ code: 'SCF305', at: through.at, message, help });
  }
});

function joinFlaw({ schema }: ModelFacts, from: string, to: string): string | undefined {
  const count = (target: string) =>
    toOnes(schema).filter(({ to: there }) => there.value === target).length;
  const needed = from === to ? 2 : 1;
  for (const target of new Set([from, to])) {
    if (count(target) !== needed)
      return `it has ${count(target) || 'no'} to-one relation${count(target) > 1 ? 's' : ''} to ${target}${needed === 2 ? ', where two are needed' : ''}`;
  }
  return undefined;
}

/** With a required key to its own model, a first row could never be created. */
export const ownKeysAreOptional = ofModels((model, report) => {
  for (const relation of requiredOf(model)) {
    const { name, to } = relation;
    if (to.value !== model.name) continue;
    const message = `${model.name}.${name.value} is required and refers to ${model.name} itself, so the first row could never be created`;
    const help = `make it optional: ${optionalForm(relation)}`;
    report({ code: 'SCF308', at: to.at, message, help });
  }
});

/** Nor with one that leads back to it over others. */
export const circlesHaveAWayIn: SchemaRule = (facts, report) => {
  const reported = new Set<string>();
  for (const model of facts.models) {
    const circle = shortestCircle(model, facts);
    const key = circle?.toSorted().join(' ');
    const relation = requiredOf(model).find(({ to }) => to.value === circle?.[0]);
    if (circle === undefined || key === undefined || relation === undefined || reported.has(key))
      continue;
    reported.add(key);
    report({
      code: 'SCF307',
      at: relation.to.at,
      message: `${[model.name, ...circle].join(' → ')} is a circle of required relations, so the first row could never be created`,
      help: `make one of them optional, like ${optionalForm(relation)}`,
    });
  }
};

/** A relation that is optional, in the form in which it is written. */
const optionalForm = ({ name, to, keysAt }: RelationSchema) =>
  keysAt['to'] ? `\`to: ${to.value}?\`` : `\`${name.value}: ${to.value}?\``;

function requiredOf({ schema }: ModelFacts): readonly RelationSchema[] {
  return toOnes(schema).filter(({ optional }) => !optional);
}

/** The models on the shortest way from this one back to it over others, itself last. */
function shortestCircle(model: ModelFacts, { byName }: Facts): readonly string[] | undefined {
  const ways: string[][] = [[]];
  const seen = new Set<string>();
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    const last = byName.get(way.at(-1) ?? model.name);
    for (const { to } of last === undefined ? [] : requiredOf(last)) {
      if (to.value === last?.name || seen.has(to.value)) continue;
      seen.add(to.value);
      if (to.value === model.name) return [...way, to.value];
      ways.push([...way, to.value]);
    }
  }
  return undefined;
}
