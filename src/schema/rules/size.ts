import type { Schema } from '../keys/top.ts';
import type { ReportProblem } from '../scope.ts';

/** PostgreSQL's tables end at 1,600 columns, SQLite's at 2,000; long before that, a schema is a mistake. */
const mostModels = 2000;
const mostMembers = 300;

/** Whether the schema is small enough for the other rules, some of which take quadratic time. */
export function hasSize({ models }: Schema, report: ReportProblem): boolean {
  const beyond = models[mostModels];
  if (beyond !== undefined) {
    const message = `the file has ${models.length} models, more than ${mostModels}`;
    const help = 'split it into several servers';
    report({ code: 'SCF121', at: beyond.name.at, message, help });
  }
  const crowded = models.filter(
    ({ fields, relations }) => fields.length + relations.length > mostMembers,
  );
  for (const { name, fields, relations } of crowded) {
    const message = `${name.value} has ${fields.length + relations.length} fields and relations, more than ${mostMembers}`;
    const help = 'split it into several models, or keep the rest in a `json` field';
    report({ code: 'SCF121', at: name.at, message, help });
  }
  return beyond === undefined && crowded.length === 0;
}
