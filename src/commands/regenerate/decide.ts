import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitCode, UserError } from '../../errors.ts';
import type { Ambiguity } from '../../evolve/changes/candidates.ts';
import { acceptanceKey, type Hazard } from '../../evolve/hazards/hazard.ts';
import { inTicks, someOf } from '../../project/paths.ts';
import type { RunOptions } from '../../project/plan.ts';
import { deletionKey, type Doubt, type Project } from '../../project/read-project.ts';
import { planRegeneration, type Regeneration } from '../../project/regeneration.ts';
import type { Running } from '../../system/run.ts';
import { ask } from '../../terminal/ask.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { askStatus } from '../database-status.ts';
import { toRunOptions, onlyLooks, type RegenerateRequest, type SchemaSource } from './request.ts';

export interface Decided {
  readonly regeneration: Regeneration;
  /** As if the answers had been typed. */
  readonly request: RegenerateRequest;
  readonly rows: ConcernedRows;
}

/**
 * Plans, and asks what only a person knows, one question after the other, for each answer may settle others. With
 * nobody to ask, the questions stay open in what is returned.
 */
export async function decide(
  terminal: Terminal,
  project: Project,
  source: SchemaSource,
  request: RegenerateRequest,
): Promise<Decided> {
  const plan = onlyLooks(request) ? preview : planRegeneration;
  const regeneration = await plan(project, toRunOptions(request, source));
  const [ambiguity] = regeneration.ambiguities;
  const [doubt] = regeneration.doubts;
  const [hazard] = regeneration.unaccepted;
  if (request.check) return { regeneration, request, rows: new Map() };
  const { interruption } = terminal;
  const rows = await countConcernedRows(regeneration, { folder: project.folder, interruption });
  if (!terminal.interactive) return { regeneration, request, rows };
  const again = (answered: RegenerateRequest) => decide(terminal, project, source, answered);
  if (ambiguity) return again(await askName(terminal, ambiguity, rows, request));
  if (doubt) return again(await askWhere(terminal, doubt, request));
  return hazard
    ? again(await askConsent(terminal, hazard, rows, request))
    : { regeneration, request, rows };
}

export function isOpen({ ambiguities, doubts, unaccepted }: Regeneration): boolean {
  return ambiguities.length + doubts.length + unaccepted.length > 0;
}

/** What a drop does, in the words of a sentence about it. */
export const drops: Readonly<Record<Ambiguity['loss'], string>> = {
  SCF411: 'deletes its rows',
  SCF412: 'deletes its values',
  SCF415: 'takes it out of the enum',
};

/** What `--accept` takes when it is no rename. */
export function dropKey({ loss, target }: Ambiguity): string {
  return `${loss}:${target}`;
}

async function askName(
  terminal: Terminal,
  ambiguity: Ambiguity,
  rows: ConcernedRows,
  request: RegenerateRequest,
): Promise<RegenerateRequest> {
  const { target, renames } = ambiguity;
  const concerned = rowsText(rows.get(dropKey(ambiguity)));
  const answer = await ask(terminal, {
    flag: `--rename ${renames[0]}`,
    instead: `Or \`--accept ${dropKey(ambiguity)}\`.`,
    message: `\`${target}\` is gone from the schema.${concerned} Was it renamed?`,
    choices: [
      ...renames.map((rename) => ({ answer: rename, title: `Yes: ${arrow(rename)}` })),
      { answer: 'drop', title: `No, drop it: that ${drops[ambiguity.loss]}` },
      { answer: 'stop', title: 'Stop; write nothing' },
    ],
  });
  if (answer === 'stop') throw undecided('SCF509', `What happens to \`${target}\` is undecided.`);
  const { rename = [], accept = [] } = request;
  return answer === 'drop'
    ? { ...request, accept: [...accept, dropKey(ambiguity)] }
    : { ...request, rename: [...rename, answer] };
}

async function askWhere(
  terminal: Terminal,
  doubt: Doubt,
  request: RegenerateRequest,
): Promise<RegenerateRequest> {
  const { path, candidates } = doubt;
  const answer = await ask(terminal, {
    flag: `--moved ${path}=${candidates[0] ?? '…'}`,
    instead: `Or \`--accept ${deletionKey(doubt)}\`.`,
    message: `\`${path}\` is gone, and ${whereItIs(doubt)}. Did you move it?`,
    choices: [
      ...candidates.map((to) => ({ answer: to, title: `Yes, to \`${to}\`` })),
      { answer: 'deleted', title: 'No, I deleted it; the copies elsewhere are mine' },
      { answer: 'stop', title: 'Stop; write nothing' },
    ],
  });
  if (answer === 'stop') throw undecided('SCF517', `What happened to \`${path}\` is undecided.`);
  const { moved = [], accept = [] } = request;
  return answer === 'deleted'
    ? { ...request, accept: [...accept, deletionKey(doubt)] }
    : { ...request, moved: [...moved, `${path}=${answer}`] };
}

/** `what it exports is in a.ts and b.ts` */
export function whereItIs({ places }: Doubt): string {
  return `what it exported is in ${someOf(inTicks(places))}`;
}

/** `Post.title=heading` */
const arrow = (rename: string) => `\`${rename.replace('=', '` → `')}\``;

async function askConsent(
  terminal: Terminal,
  hazard: Hazard,
  rows: ConcernedRows,
  request: RegenerateRequest,
): Promise<RegenerateRequest> {
  const key = acceptanceKey(hazard);
  const answer = await ask(terminal, {
    flag: `--accept ${key}`,
    instead: 'Only this option agrees to it.',
    message: `${key}: ${hazard.message}${rowsText(rows.get(key))} Go on?`,
    choices: [
      { answer: 'no', title: 'No; write nothing' },
      { answer: 'yes', title: `Yes, as with --accept ${key}` },
    ],
  });
  if (answer === 'no') throw undecided(hazard.code, `\`${hazard.target}\` stays as it is.`);
  return { ...request, accept: [...(request.accept ?? []), key] };
}

function undecided(code: string, message: string): UserError {
  return new UserError(code, message, {
    exit: exitCode.decision,
    help: 'Edit the schema, or run again.',
  });
}

/** What a run would come to if every loss were agreed to; the questions about them stay open in it. */
export async function preview(project: Project, options: RunOptions): Promise<Regeneration> {
  const asked = await planRegeneration(project, options);
  const { ambiguities, doubts, unaccepted } = asked;
  if (ambiguities.length + doubts.length > 0 || unaccepted.length === 0) return asked;
  const accepted = [...options.accepted, ...unaccepted.map(acceptanceKey)];
  const meant = await planRegeneration(project, { ...options, accepted });
  return { ...meant, unaccepted };
}

/** Acceptance key → how many rows of the project's database the hazard concerns. */
export type ConcernedRows = ReadonlyMap<string, number>;

/**
 * For the person who decides; the migration counts again when it is applied, in the database that it is applied to.
 * Empty where there is no database to ask, or one that lacks an earlier migration.
 */
async function countConcernedRows(
  { migration, unaccepted, ambiguities }: Regeneration,
  at: Running,
): Promise<ConcernedRows> {
  const none = new Map<string, number>();
  if (migration === undefined || unaccepted.length + ambiguities.length === 0) return none;
  const drafts = await mkdtemp(join(tmpdir(), 'scaffold-draft-'));
  try {
    const draft = join(drafts, 'meta.json');
    await writeFile(draft, migration.migration.files['meta.json']);
    const asked = await askStatus(at, ['--draft', draft]);
    if (!('status' in asked)) return none;
    return new Map(asked.status.concerned.map(({ hazard, rows }) => [hazard, rows]));
  } finally {
    await rm(drafts, { recursive: true, force: true });
  }
}

/** ` 1,204 rows in your database.`; nothing where nobody counted. */
export function rowsText(rows: number | undefined): string {
  if (rows === undefined) return '';
  const number = rows.toLocaleString('en-US');
  return ` ${number} ${rows === 1 ? 'row' : 'rows'} in your database.`;
}
