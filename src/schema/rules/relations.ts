import type { RelationSchema } from '../schema.ts';
import { suggest } from '../suggest.ts';
import type { ModelFacts, Rule } from './facts.ts';

export const targetsExist: Rule = ({ models, byName, enums }, report) => {
  const valid = [...byName.keys()];
  // `room:` is told to be `Room` already, so whoever leads to `Room` is right.
  const misnamed = new Set(valid.filter((name) => /^[a-z]/.test(name)).map(withCapital));
  for (const { name: model, schema } of models) {
    for (const { name, to, through } of schema.relations) {
      for (const target of [to, through]) {
        if (target === undefined || target.value === '' || byName.has(target.value)) continue;
        if (misnamed.has(target.value)) continue;
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

function withCapital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

type Option = 'optional' | 'unique' | 'index' | 'onDelete' | 'column' | 'backfill' | 'through';

/** Options that one kind of relation has and the other has not. */
const manyRefuses: readonly Option[] = [
  'optional',
  'unique',
  'index',
  'onDelete',
  'column',
  'backfill',
];
const toOneRefuses: readonly Option[] = ['through'];
const keyOf: Readonly<Record<string, string>> = { onDelete: 'on_delete' };

export const optionsFitTheRelation: Rule = ({ models }, report) => {
  for (const { name: model, schema } of models) {
    for (const relation of schema.relations) {
      const path = `${model}.${relation.name.value}`;
      for (const option of relation.many ? manyRefuses : toOneRefuses) {
        if (relation[option] === undefined || relation[option] === false) continue;
        const key = keyOf[option] ?? option;
        report({
          code: 'SCF309',
          at: relation.keysAt?.[key] ?? relation.name.at,
          message: `${path} is ${relation.many ? 'many-to-many' : 'to-one'} and has no \`${key}\``,
          help: relation.many
            ? 'its pairs live in a table of their own: remove the option, or remove `many`'
            : 'add `many: true`, or remove the option',
        });
      }
      if (!relation.many && !relation.optional && relation.onDelete?.value === 'set_null') {
        report({
          code: 'SCF303',
          at: relation.onDelete.at,
          message: `${path} is required, so it cannot be set to null`,
          help: 'make it `optional: true`, or use `cascade` or `restrict`',
        });
      }
    }
  }
};

/** The owner comes from the token, so it has to be one user. */
export const ownerIsUser: Rule = ({ models, byName }, report) => {
  for (const { name: model, schema, isUser } of models) {
    const { relations } = schema;
    const owner = schema.owner?.relation;
    if (owner === undefined) continue;
    const candidates = relations
      .filter(({ to, many }) => !many && (to.value === 'User' || !byName.has(to.value)))
      .map(({ name }) => name.value);
    const relation = relations.find(({ name }) => name.value === owner.value);
    const flaw = isUser ? 'users own themselves' : ownerFlaw(relation, owner.value);
    if (flaw === undefined) continue;
    report({
      code: 'SCF304',
      at: owner.at,
      message: `${model} cannot be owned through \`${owner.value}\`: ${flaw}`,
      help: helpForOwner({ isUser, owner: owner.value, candidates }),
    });
  }
};

function ownerFlaw(relation: RelationSchema | undefined, owner: string): string | undefined {
  if (relation === undefined) return `there is no relation \`${owner}\``;
  if (relation.many) return 'it leads to many';
  return relation.to.value === 'User' || relation.to.value === ''
    ? undefined
    : `it leads to ${relation.to.value}, not to User`;
}

function helpForOwner(context: {
  readonly isUser: boolean;
  readonly owner: string;
  readonly candidates: readonly string[];
}): string {
  if (context.isUser) return 'remove it, and use `self` in `access`';
  if (context.candidates.length === 0) return 'declare one under `relations:`, like `author: User`';
  return suggest(context.owner, context.candidates);
}

/** A model that joins two others has one key to each. */
export const throughJoinsBoth: Rule = ({ models, byName }, report) => {
  for (const model of models) {
    for (const relation of model.schema.relations) {
      const { through, to, many, name } = relation;
      const joining = through === undefined ? undefined : byName.get(through.value);
      if (through === undefined || joining === undefined || !many || !byName.has(to.value))
        continue;
      const flaw = joinFlaw(joining, model.name, to.value);
      if (flaw === undefined) continue;
      report({
        code: 'SCF305',
        at: through.at,
        message: `${model.name}.${name.value} cannot go through ${joining.name}: ${flaw}`,
        help: `${joining.name} needs exactly one relation to each side, like \`${exampleOf(model.name)}: ${model.name}\` and \`${to.value === model.name ? 'other' : exampleOf(to.value)}: ${to.value}\``,
      });
    }
  }
};

function joinFlaw({ schema }: ModelFacts, from: string, to: string): string | undefined {
  const count = (target: string) =>
    schema.relations.filter((key) => !key.many && key.to.value === target).length;
  const needed = from === to ? 2 : 1;
  for (const target of new Set([from, to])) {
    if (count(target) !== needed)
      return `it has ${count(target) || 'no'} to-one relation${count(target) > 1 ? 's' : ''} to ${target}${needed === 2 ? ', where two are needed' : ''}`;
  }
  return undefined;
}

function exampleOf(model: string): string {
  return model.charAt(0).toLowerCase() + model.slice(1);
}
