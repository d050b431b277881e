import type { Rule } from './facts.ts';

/** PostgreSQL's tables end at 1,600 columns, SQLite's at 2,000; long before that, a schema is a mistake. */
const mostModels = 300;
const mostMembers = 300;

export const schemaHasSize: Rule = ({ schema }, report) => {
  const first = schema.models[mostModels];
  if (first !== undefined) {
    report({
      code: 'SCF121',
      at: first.name.at,
      message: `the file has ${schema.models.length} models, more than ${mostModels}`,
      help: 'split it into several servers',
    });
  }
  for (const { name, fields, relations } of schema.models) {
    const count = fields.length + relations.length;
    if (count <= mostMembers) continue;
    report({
      code: 'SCF121',
      at: name.at,
      message: `${name.value} has ${count} fields and relations, more than ${mostMembers}`,
      help: 'split it into several models, or keep the rest in a `json` field',
    });
  }
};
