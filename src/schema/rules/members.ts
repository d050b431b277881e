import type { Member, ModelFacts, Rule } from './facts.ts';

/** Columns that PostgreSQL gives every table. */
const systemColumns = ['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid'];

/** Fields, keys, lists of ids and other sides share one namespace: that of the JSON object. */
export const membersAreDistinct: Rule = ({ models }, report) => {
  for (const model of models) {
    const firsts = new Map<string, Member>();
    for (const member of model.members) {
      const first = firsts.get(member.name.toLowerCase());
      if (first === undefined) firsts.set(member.name.toLowerCase(), member);
      else if (member.at !== undefined && member.at !== first.at) {
        report({ at: member.at, ...wording(model, member, first) });
      }
    }
  }
};

/** Signing in and out relies on what `User` has. */
export const userKeepsItsTimes: Rule = ({ models }, report) => {
  for (const { isUser, schema } of models) {
    if (!isUser || schema.timestamps !== false) continue;
    report({
      code: 'SCF213',
      at: schema.keysAt?.timestamps ?? schema.name.at,
      message: 'User always has `created_at` and `updated_at`: they are built in',
      help: 'remove `timestamps`',
    });
  }
};

function wording({ name, isUser }: ModelFacts, member: Member, first: Member) {
  if (first.kind === 'built-in') {
    return {
      code: 'SCF213',
      message: `${name} has \`${first.name}\` already: it is built in`,
      help: isUser
        ? 'remove it; built in are id, name, email, password, role, created_at and updated_at'
        : 'remove it, or choose another name; `timestamps: false` does without the times',
    };
  }
  return {
    code: member.kind === 'inverse' ? 'SCF306' : 'SCF214',
    message: `${name} cannot have both ${first.title} and ${member.title}`,
    help: 'rename one of them; capitals make no difference',
  };
}

export const columnsAreDistinct: Rule = ({ models }, report) => {
  for (const { name, members } of models) {
    const firsts = new Map<string, Member>();
    for (const { column, columnAt, ...member } of members) {
      if (column === undefined) continue;
      const first = firsts.get(column.toLowerCase());
      firsts.set(column.toLowerCase(), first ?? member);
      if (columnAt === undefined) continue;
      const problem = columnProblem(column, first, member);
      if (problem !== undefined) report({ code: 'SCF214', at: columnAt, ...problem(name) });
    }
  }
};

function columnProblem(column: string, first: Member | undefined, member: Member) {
  if (systemColumns.includes(column.toLowerCase())) {
    return (model: string) => ({
      message: `PostgreSQL keeps the column \`${column}\` of ${model} for itself`,
      help: 'give the column another name with `column:`',
    });
  }
  // Equal names were reported as such already.
  if (first === undefined || first.name.toLowerCase() === member.name.toLowerCase())
    return undefined;
  return (model: string) => ({
    message: `${model}: ${first.title} and ${member.title} would share the column \`${column}\``,
    help: 'give one of the columns another name with `column:`',
  });
}
