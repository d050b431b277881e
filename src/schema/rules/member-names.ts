import { ofModels, type ModelFacts } from './facts.ts';
import type { Member } from './member-facts.ts';

/**
 * Columns that are not free, and why: PostgreSQL gives every table the first six; SQLite gives a column of a subquery
 * another name than these two (`sqlite3ColumnsFromExprList` in its select.c).
 */
const takenColumns = new Map([
  ...['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid'].map(
    (name) => [name, 'PostgreSQL'] as const,
  ),
  ...['true', 'false'].map((name) => [name, 'SQLite'] as const),
]);

/** Fields, keys, lists of ids and other sides share one namespace: that of the JSON object. */
export const membersAreDistinct = ofModels((model, report) => {
  const firsts = new Map<string, Member>();
  for (const member of model.members) {
    const first = firsts.get(member.name.toLowerCase());
    if (first === undefined) firsts.set(member.name.toLowerCase(), member);
    else if (member.at !== undefined && member.at !== first.at) {
      report({ at: member.at, ...memberWording(model, member, first) });
    }
  }
});

/** Signing in and out relies on what `User` has. */
export const userKeepsItsTimes = ofModels(({ isUser, schema }, report) => {
  const { created, updated } = schema.timestamps ?? {};
  if (!isUser || schema.timestamps === undefined || (created && updated)) return;
  report({
    code: 'SCF213',
    at: schema.keysAt?.timestamps ?? schema.name.at,
    message: 'User always has `created_at` and `updated_at`: they are built in',
    help: 'remove `timestamps`, or say what both are called: `{ created: made_at, updated: changed_at }`',
  });
});

/** All that signs people in goes by it. */
export const userKeepsItsKey = ofModels(({ isUser, schema }, report) => {
  const column = schema.id?.column;
  if (!isUser || column === undefined) return;
  report({
    code: 'SCF226',
    at: column.at,
    message: 'the column of the ids of User is always called `id`',
    help: 'remove `column`: a table of another program is converted when it is taken over',
  });
});

function helpForBuiltIn(name: string, kind: Member['kind'], isUser: boolean): string {
  if (kind === 'inverse') return 'give the other side another name with `inverse:`';
  if (isUser) {
    return 'remove it; built in are id, name, email, password, role, created_at and updated_at';
  }
  return name === 'id'
    ? 'remove it: the kind of the `id` is a key of the model, `id: int` or `id: uuid`'
    : 'remove it, or choose another name; `timestamps: false` leaves the times out';
}

function memberWording({ name, isUser }: ModelFacts, member: Member, first: Member) {
  if (first.kind === 'built-in') {
    return {
      code: 'SCF213',
      message: `${name} already has \`${first.name}\`: it is built in`,
      help: helpForBuiltIn(first.name, member.kind, isUser),
    };
  }
  return {
    code: member.kind === 'inverse' ? 'SCF306' : 'SCF214',
    message: `${name} cannot have both ${first.title} and ${member.title}`,
    help: 'rename one of them; capitals make no difference',
  };
}

export const columnsAreDistinct = ofModels(({ name, members }, report) => {
  const firsts = new Map<string, Member>();
  for (const member of members) {
    const { column } = member;
    if (column === undefined) continue;
    const first = firsts.get(column.toLowerCase());
    firsts.set(column.toLowerCase(), first ?? member);
    const at = member.columnAt ?? first?.columnAt;
    if (at === undefined) continue;
    const problem = columnProblem(column, first, member);
    if (problem !== undefined) report({ code: 'SCF214', at, ...problem(name) });
  }
});

function columnProblem(column: string, first: Member | undefined, member: Member) {
  const taken = takenColumns.get(column.toLowerCase());
  if (taken !== undefined) {
    return (model: string) => ({
      message: `${taken} keeps the column \`${column}\` of ${model} for itself`,
      help: 'give the column another name with `column:`',
    });
  }
  // Equal names are reported by another rule.
  if (first === undefined || first.name.toLowerCase() === member.name.toLowerCase())
    return undefined;
  return (model: string) => ({
    message: `${model}: ${first.title} and ${member.title} would share the column \`${column}\``,
    help: 'give one of the columns another name with `column:`',
  });
}
