import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitCode, UserError } from '../../errors.ts';
import { openDisk } from '../../project/disk.ts';
import type { RunOptions } from '../../project/plan.ts';
import { buildNext, type NextApp } from '../../project/plan/next-app.ts';
import type { Project } from '../../project/read-project.ts';
import { planRegeneration, type Regeneration } from '../../project/regeneration.ts';
import type { ProcessOptions } from '../../system/run.ts';
import { ask } from '../../terminal/ask.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { askStatus } from '../database-status.ts';
import type { PlannedRun } from './open-questions.ts';
import { type ConcernedRows, type OpenQuestion, optionText, listQuestions } from './questions.ts';
import { toRunOptions, type RegenerateRequest } from './request.ts';

/** Plans, and asks one question at a time, since an answer may decide others. Returns the questions that stay open. */
export async function planAndAsk(
  terminal: Terminal,
  { project, next, options }: { project: Project; next: NextApp; options: RunOptions },
  request: RegenerateRequest,
): Promise<PlannedRun> {
  const regeneration = await planRegeneration(project, next, options);
  const planned = { project, regeneration, request };
  if (request.check) return { ...planned, rows: new Map() };
  const { interruption } = terminal;
  const rows = await countConcernedRows(regeneration, { folder: project.folder, interruption });
  const [question] = listQuestions(regeneration, rows);
  if (!terminal.interactive || question === undefined) return { ...planned, rows };
  const decided = await answered(terminal, question, request);
  const more = toRunOptions(decided, options);
  // The owner's files may have been edited meanwhile.
  const reread = { ...project, disk: openDisk(project.folder) };
  const input = { project: reread, next: buildNext(reread, more), options: more };
  return planAndAsk(terminal, input, decided);
}

/** The request with the option that stands for an answer. */
async function answered(
  terminal: Terminal,
  question: OpenQuestion,
  request: RegenerateRequest,
): Promise<RegenerateRequest> {
  const { code, answers, isCareful, help, prompt, undecided } = question;
  const choices = answers.map((it) => ({ answer: optionText(it), title: it.title }));
  const stop = { answer: 'stop', title: `${isCareful ? 'No' : 'Stop'}; write nothing` };
  const chosen = await ask(terminal, {
    flag: choices[0]?.answer ?? '',
    instead: help,
    message: prompt,
    choices: isCareful ? [stop, ...choices] : [...choices, stop],
  });
  const answer = answers[choices.findIndex((it) => it.answer === chosen)];
  if (answer === undefined) {
    throw new UserError(code, undecided, {
      exit: exitCode.decision,
      help: 'Edit the schema, or run again.',
    });
  }
  const { option, value } = answer;
  return { ...request, [option]: [...(request[option] ?? []), value] };
}

/**
 * Counts for the person who decides. The migration counts again in each database. Empty if no database can be asked, or
 * if it lacks an earlier migration.
 */
async function countConcernedRows(
  { newMigration, unaccepted, ambiguities }: Regeneration,
  at: ProcessOptions,
): Promise<ConcernedRows> {
  const none = new Map<string, number>();
  if (newMigration === undefined || unaccepted.length + ambiguities.length === 0) return none;
  const drafts = await mkdtemp(join(tmpdir(), 'scaffold-draft-'));
  try {
    const draft = join(drafts, 'meta.json');
    await writeFile(draft, newMigration.migration.files['meta.json']);
    const answer = await askStatus(at, ['--draft', draft]);
    if (!('status' in answer)) return none;
    return new Map(answer.status.concerned.map(({ hazard, rows }) => [hazard, rows]));
  } finally {
    await rm(drafts, { recursive: true, force: true });
  }
}
