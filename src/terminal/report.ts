import { exitCode, type ExitCode } from '../errors.ts';
import { groupBy } from '../group-by.ts';
import type { Terminal } from './terminal.ts';
import { printCount } from '../words.ts';

/** The final report of a command. `docs/output.schema.json` describes its JSON form. */
export interface Report {
  readonly exit: ExitCode;
  readonly changes?: readonly ReportedChange[];
  readonly migration?: string;
  readonly diagnostics?: readonly Diagnostic[];
  /** Commands to run next, to be pasted. */
  readonly next?: readonly string[];
  /** Properties of this command only. */
  readonly data?: { readonly [key: string]: unknown };
  /** The result for people. */
  readonly text?: string;
}

export interface ReportedChange {
  readonly path: string;
  readonly action: string;
  readonly model?: string | undefined;
  /** A sentence. */
  readonly reason?: string | undefined;
  /** The former path of a file that moved. */
  readonly from?: string | undefined;
  /** A diff that `git apply` accepts. */
  readonly diff?: string | undefined;
}

export interface Diagnostic {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'note';
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly help?: string | undefined;
}

/** One run of the command line. */
export interface Session {
  readonly command: string;
  readonly terminal: Terminal;
  /** The current folder, from which paths of the user are read. */
  readonly folder: string;
  readonly version: string;
  /** From `performance.now()`. */
  readonly started: number;
}

/** Writes the result to standard output, and nothing else there. */
export function report(session: Session, result: Report): ExitCode {
  const { terminal } = session;
  terminal.out.write(
    terminal.json ? `${JSON.stringify(toJson(session, result))}\n` : (result.text ?? ''),
  );
  return result.exit;
}

function toJson(session: Session, result: Report) {
  return {
    ok: result.exit === exitCode.done,
    command: session.command,
    version: session.version,
    changes: (result.changes ?? []).map((it) => ({ ...it, model: it.model ?? null })),
    migration: result.migration ?? null,
    diagnostics: result.diagnostics ?? [],
    next: result.next ?? [],
    durationMs: Math.round(performance.now() - session.started),
    ...result.data,
  };
}

/** A line for each change in JSON; for people, a line for each folder. */
export function showChanges({ out, json }: Terminal, changes: readonly ReportedChange[]): void {
  if (json) return;
  const lines = out.isTerminal
    ? folderLines(changes)
    : changes.map(({ action, path }) => [action, path]);
  out.write(
    lines.map(([action = '', ...rest]) => `${action.padEnd(8)}${rest.join('')}\n`).join(''),
  );
}

/** Counts the files of each top-level folder by action. */
function folderLines(changes: readonly ReportedChange[]): string[][] {
  const placed = changes.map(({ action, path }) => {
    return [action, (path.slice(0, path.indexOf('/') + 1) || './').padEnd(28)];
  });
  const groups = groupBy(placed, (line) => line.join(' '));
  return [...groups.values()].map((all) => [...(all[0] ?? []), printCount(all.length, 'file')]);
}

/** Prints problems that stopped nothing. */
export function showDiagnostics(terminal: Terminal, diagnostics: readonly Diagnostic[]): void {
  if (terminal.json) return;
  const { style, write } = terminal.err;
  for (const { code, severity, message, help, ...place } of diagnostics) {
    if (terminal.quiet && severity !== 'error') continue;
    write(`\n${style[severityMarks[severity]](severity)} ${style.strong(code)}  ${message}\n`);
    if (place.file) write(`  ${style.accent(`--> ${placeText(place)}`)}\n`);
    if (help) write(`  ${style.accent('help')}: ${help}\n`);
  }
}

const severityMarks = { error: 'bad', warning: 'careful', note: 'accent' } as const;

function placeText({ file, line, column }: Pick<Diagnostic, 'file' | 'line' | 'column'>): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

/** A command to run next. */
export interface Step {
  readonly command: string;
  readonly note: string;
}

const widest = 60;

export function showSteps(terminal: Terminal, title: string, steps: readonly Step[]): void {
  if (terminal.quiet || steps.length === 0) return;
  const { style, write } = terminal.err;
  // One long command must not push the notes of the others aside.
  const widths = steps.map(({ command }) => command.length).filter((it) => it <= widest);
  const width = Math.max(0, ...widths);
  const lines = steps.map(({ command, note }) =>
    `  ${command.padEnd(width)}  ${style.faint(note)}`.trimEnd(),
  );
  write(`\n${style.strong(title)}\n${lines.join('\n')}\n`);
}
