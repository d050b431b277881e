import { present } from '../../present.ts';
import { resolve } from 'node:path';
import { type ExitCode, exitCode, UserError } from '../../errors.ts';
import { parseRename, type Rename } from '../../model/rename.ts';
import { isHazardCode } from '../../evolve/hazards/hazard.ts';
import type { RunOptions } from '../../project/plan.ts';
import { type Diagnostic, report, type Session } from '../../terminal/report.ts';
import { chooseFolder } from '../display-path.ts';

/** The options as they were typed. */
export interface RegenerateRequest {
  readonly dir: string;
  readonly dryRun?: boolean;
  readonly diff?: boolean;
  readonly check?: boolean;
  readonly rename?: readonly string[];
  readonly accept?: readonly string[];
  readonly moved?: readonly string[];
  readonly onConflict?: RunOptions['onConflict'];
  readonly restore?: readonly string[];
  readonly name?: string;
  readonly codemod?: boolean;
  readonly undo?: boolean;
  readonly watch?: boolean;
}

export interface Run {
  /** Absolute. */
  readonly folder: string;
  readonly request: RegenerateRequest;
  /** Diagnostics from before the run, for `--json`. */
  readonly earlier: readonly Diagnostic[];
}

export function startRun(session: Session, request: RegenerateRequest): Run {
  const contradiction = contradictions.find(({ when }) => when(request, session.terminal.json));
  if (contradiction) throw misuse(contradiction.message, contradiction.help);
  const dir = chooseFolder(session, request.dir);
  return { folder: resolve(session.folder, dir), request: { ...request, dir }, earlier: [] };
}

const contradictions: readonly {
  readonly when: (request: RegenerateRequest, json: boolean) => boolean | undefined;
  readonly message: string;
  readonly help: string;
}[] = [
  {
    when: ({ undo, check, watch, ...rest }) =>
      undo && (check || watch || Object.keys(rest).some((key) => !besideUndo.has(key))),
    message: '`--undo` undoes the last run; it can be combined only with `--dry-run` and `--diff`.',
    help: 'Undo the run first, then run again with the other options.',
  },
  {
    when: ({ watch, check }, json) => watch && (check || json),
    message: '`--watch` runs many times, and `--check` and `--json` give one answer.',
    help: 'Leave one of the two out.',
  },
];

const besideUndo = new Set(['dir', 'dryRun', 'diff']);

/** Whether the run writes nothing. */
export function isReadOnly({ dryRun, diff, check }: RegenerateRequest): boolean {
  return [dryRun, diff, check].includes(true);
}

export function reportInStep(session: Session, diagnostics: readonly Diagnostic[]): ExitCode {
  const verdict = 'The project is in step with its schema. Nothing was written.';
  const text = `${verdict}\nYour code was not type-checked: \`npx scaffold check\` does that.\n`;
  return report(session, { exit: exitCode.done, diagnostics, text });
}

/** Whether no option can change an untouched project. A name or a codemod needs a change to apply to. */
export function changesNothing({
  rename = [],
  accept = [],
  moved = [],
  restore = [],
}: RegenerateRequest): boolean {
  return [...rename, ...accept, ...moved, ...restore].length === 0;
}

export function toRunOptions(
  request: RegenerateRequest,
  { schema, schemaText }: Pick<RunOptions, 'schema' | 'schemaText'>,
): RunOptions {
  const { rename = [], accept = [], moved = [], restore = [] } = request;
  const { onConflict = 'markers', name: migrationName } = request;
  return {
    schema,
    schemaText,
    renames: rename.map(readRename),
    accepted: accept.map(readAcceptance),
    showsLosses: isReadOnly(request),
    moved: new Map(moved.map(readMove)),
    onConflict,
    restore,
    ...present({ migrationName }),
  };
}

function readRename(text: string): Rename {
  const rename = parseRename(text);
  if (rename) return rename;
  throw misuse(
    `\`--rename ${text}\` does not name two things.`,
    'For example: `--rename Post=Article`, `--rename Post.title=heading`.',
  );
}

function readMove(text: string): readonly [from: string, to: string] {
  const [from = '', to = '', more] = text.split('=').map((path) => path.replace(/^\.\//, ''));
  if (from !== '' && to !== '' && more === undefined) return [from, to];
  throw misuse(
    `\`--moved ${text}\` does not name two files.`,
    'For example: `--moved src/lib/reply.ts=src/http/reply.ts`.',
  );
}

function readAcceptance(text: string): string {
  const [code = '', target = ''] = text.split(':');
  if (target !== '' && (isHazardCode(code) || code === 'SCF514' || code === 'SCF517')) return text;
  throw misuse(
    `\`--accept ${text}\` does not name a question.`,
    'It is printed with the question, for example `--accept SCF412:Post.title`.',
  );
}

function misuse(message: string, help: string): UserError {
  return new UserError('SCF001', message, { exit: exitCode.usage, help });
}
