import { exitCode, UserError } from '../../errors.ts';
import type { App } from '../../model/app.ts';
import { buildApp } from '../../model/build.ts';
import { carryIds } from '../../model/carry.ts';
import { findModel } from '../../model/lookups.ts';
import { findRenameFlaw, type Rename } from '../../model/rename.ts';
import { version } from '../../version.ts';
import { hashText } from '../paths.ts';
import { isInterrupted } from '../project-folder.ts';
import type { Schema } from '../../schema/keys/top.ts';
import type { RunOptions } from '../plan.ts';
import type { Project } from '../read-project.ts';
import { printSnapshot } from '../record.ts';
import { isOfThisVersion } from '../untouched.ts';
import { printCount, inTicks } from '../../words.ts';

/** The app of the new schema. */
export interface NextApp {
  /** With fresh ids. */
  readonly built: App;
  /** With the ids of the last app, so that a rename is recognised. */
  readonly app: App;
}

/** Throws for an impossible rename (SCF001) or a new plural (SCF519). */
export function buildNext(project: Project, { schema, renames }: RunOptions): NextApp {
  const { app } = project;
  const built = buildApp(schema);
  refuseOtherPlurals(project, built, schema);
  for (const rename of renames) {
    const flaw = findRenameFlaw(rename, app, built) ?? findSharedNameFlaw(rename, renames);
    if (flaw === undefined) continue;
    const owner = rename.owner === undefined ? '' : `${rename.owner}.`;
    throw new UserError('SCF001', `\`--rename ${owner}${rename.from}=${rename.to}\`: ${flaw}`, {
      exit: exitCode.usage,
      help: 'Write `--rename Old=New`, or `--rename Model.old=new`.',
    });
  }
  return { built, app: carryIds(app, built, renames) };
}

/** Two things cannot become one: only one of them would be renamed, and the other dropped. */
function findSharedNameFlaw(
  { owner, from, to }: Rename,
  all: readonly Rename[],
): string | undefined {
  const other = all.find((it) => it.owner === owner && it.to === to && it.from !== from);
  return other && `\`${other.from}\` is to be called \`${to}\`, too.`;
}

/** Whether a run would have nothing to do. Quick, because it renders nothing and reads none of the owner's files. */
export function isUpToDate(
  { folder, record, openConflicts }: Project,
  { app }: NextApp,
  { restore }: RunOptions,
): boolean {
  return (
    restore.length === 0 &&
    openConflicts.length === 0 &&
    !isInterrupted(folder) &&
    isOfThisVersion(folder, record) &&
    record.schema === hashText(printSnapshot(app))
  );
}

/**
 * Throws if this version spells the plural of a model differently (SCF519): its table, path and files are named after
 * the plural, and only the owner can decide whether they should change.
 */
function refuseOtherPlurals({ app, record }: Project, built: App, schema: Schema): void {
  if (record.generator.version === version) return;
  const chosen = new Set(
    schema.models.flatMap(({ name, plural }) => (plural === undefined ? [] : name.value)),
  );
  const changed = built.models.flatMap((model) => {
    const { snakePlural } = model.names;
    const former = findModel(model.name, app)?.names;
    if (former === undefined || former.snakePlural === snakePlural) return [];
    return chosen.has(model.name) ? [] : [{ model, former: former.snakePlural, snakePlural }];
  });
  const [first] = changed;
  if (first === undefined) return;
  const lines = changed.map(({ model, former, snakePlural }) => {
    return `${model.name}: { plural: ${former} } # or ${snakePlural}`;
  });
  const plurals = inTicks(changed.map((it) => it.former)).join(', ');
  throw new UserError(
    'SCF519',
    `This version would rename ${plurals}, the tables, paths and files of ${printCount(changed.length, 'model')}.`,
    {
      exit: exitCode.decision,
      help: `Give each its plural in the schema:\n${lines.join('\n')}`,
    },
  );
}
