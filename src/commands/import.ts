import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { exitCode, UserError, type ExitCode } from '../errors.ts';
import { type Note, type Notebook, makeNotebook } from '../import/notes.ts';
import { shownUrl } from '../import/database/shown-url.ts';
import { convertCatalogue, type Draft } from '../import/convert/convert.ts';
import { convertPrisma } from '../import/prisma/convert.ts';
import { readPrisma } from '../import/prisma/read.ts';
import { countElements, printImportReport, printPercent, shareOf } from '../import/report.ts';
import { writeSchema } from '../import/write-schema.ts';
import { parseSchema } from '../schema/parse.ts';
import { appNameLike } from '../schema/app-name.ts';
import { report, type Session } from '../terminal/report.ts';
import { displayPath } from './display-path.ts';
import { printCount, inTicks, quoteForShell } from '../words.ts';
import { showWarnings, reportProblems, toDiagnostics } from './problems.ts';

export interface ImportRequest {
  readonly kind: 'prisma' | 'db';
  /** A Prisma schema, its folder, or the URL of a database. */
  readonly path: string;
  readonly out: string;
  readonly force?: boolean;
}

const [schemaFile, reportFile] = ['schema.yaml', 'import-report.md'];

/** Writes `schema.yaml` and a report of the differences. The source is only read. */
export async function runImport(session: Session, request: ImportRequest): Promise<ExitCode> {
  const folder = resolve(session.folder, request.out);
  const notes = makeNotebook();
  const draft = await readDraft(session, request, notes);
  const text = writeSchema(draft, appNameLike(basename(folder) || basename(dirname(folder))));
  refuseExisting(session, folder, request);
  await writeAll(session, folder, [
    [schemaFile, text],
    [reportFile, printImportReport(notes, shownUrl(request.path))],
  ]);
  const file = displayPath(session, folder, schemaFile);
  const written = { text, file, disk: 'It was written, for you to fix.' };
  const { schema, problems } = parseSchema(text);
  if (!schema) return reportProblems(session, written, problems);
  showWarnings(session, written, problems);
  const next = [
    `npx scaffold check ${quoteForShell(file)}`,
    `npx scaffold new my-api --schema ${quoteForShell(file)}`,
  ];
  return report(session, {
    exit: exitCode.done,
    text: summarizeImport(draft, notes, next),
    changes: [schemaFile, reportFile].map((path) => ({
      path: displayPath(session, folder, path),
      action: 'create',
    })),
    diagnostics: toDiagnostics(written, problems),
    next,
    data: { elements: countElements(notes), exact: notes.exactCount, notes: notes.notes },
  });
}

async function readDraft(
  { folder }: Session,
  { kind, path }: ImportRequest,
  notes: Notebook,
): Promise<Draft> {
  if (kind === 'prisma') return convertPrisma(readPrisma(resolve(folder, path)), notes);
  // The PostgreSQL library takes time to load.
  const { readDatabase } = await import('../import/database/connect.ts');
  return convertCatalogue(await readDatabase(path, folder), notes);
}

/** If a file cannot be written, the message lists those that were. */
async function writeAll(
  session: Session,
  folder: string,
  files: readonly (readonly [name: string, text: string])[],
): Promise<void> {
  const written: string[] = [];
  await mkdir(folder, { recursive: true });
  for (const [name, text] of files) {
    const path = join(folder, name);
    await writeFile(path, text).catch((error: unknown) => {
      if (written.length === 0 || !(error instanceof Error)) throw error;
      throw new UserError('SCF603', `${error.message}.`, {
        exit: exitCode.environment,
        help: 'Fix the cause and run the command again with `--force`.',
        disk: `Only ${inTicks(written).join(' and ')} was written.`,
      });
    });
    written.push(displayPath(session, path));
  }
}

function refuseExisting(session: Session, folder: string, { force }: ImportRequest): void {
  const there = [schemaFile, reportFile].filter((name) => existsSync(join(folder, name)));
  if (force === true || there.length === 0) return;
  const paths = there.map((name) => `\`${displayPath(session, folder, name)}\``).join(' and ');
  throw new UserError('SCF001', `${paths} would be replaced.`, {
    exit: exitCode.usage,
    help: 'Write somewhere else with `--out <folder>`, or add `--force`.',
  });
}

function summarizeImport(draft: Draft, notes: Notebook, next: readonly string[]): string {
  const count = (kind: Note['kind']) => notes.notes.filter((note) => note.kind === kind).length;
  return [
    `${printCount(draft.models.length, 'model')}: \`${schemaFile}\`. \`${reportFile}\` lists what became of each element.`,
    `  same      ${notes.exactCount} of ${countElements(notes)} (${printPercent(shareOf(notes))})`,
    `  changed   ${count('changed')}`,
    `  left out  ${count('left')}`,
    `  access    guessed for ${printCount(count('access'), 'model')}, and closed: read this first`,
    'Next:',
    ...next.map((command) => `  ${command}`),
    '',
  ].join('\n');
}
