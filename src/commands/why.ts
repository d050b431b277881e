import { inTicks, joinWithAnd } from '../words.ts';
import { resolve } from 'node:path';
import { exitCode, type ExitCode, UserError } from '../errors.ts';
import { toUnixLines } from '../merge/line-endings.ts';
import { listChangedLines, lines } from '../merge/text.ts';
import { present } from '../present.ts';
import { readText } from '../project/disk.ts';
import { traceOrigins } from '../project/origins.ts';
import { hashText, isBelowScaffold, isSchemaFile } from '../project/paths.ts';
import { readFormerBases } from '../project/plan/match-record.ts';
import { readProject, type Project } from '../project/read-project.ts';
import type { RecordedFile } from '../project/record.ts';
import { findTemplate } from '../render/render.ts';
import { digestTemplates } from '../render/template-files.ts';
import { findLine } from '../schema/line-of.ts';
import { report, type Session } from '../terminal/report.ts';
import { displayPath, findProjectAround } from './display-path.ts';
import { locateSchema, readSchemaText } from './schema-source.ts';

/** Where a file, or a line of it, comes from. */
export interface Origin {
  /** Below the project, with `/`. */
  readonly file: string;
  /** From 1; absent for a whole file. */
  readonly line?: number;
  /** A sentence. */
  readonly origin: string;
  /** The parts of the schema behind it, such as `Post.title`. */
  readonly elements: readonly string[];
  /** Below scaffold's folder; absent if there is no template. */
  readonly template?: string;
  /** Whether its owner wrote or edited it. */
  readonly isYours: boolean;
}

/** `scaffold why src/posts/schema.ts:15` */
export async function runWhy(session: Session, written: string): Promise<ExitCode> {
  const [, path = written, at] = /^(.*?)(?::(\d+))?(?::\d+)?$/s.exec(written) ?? [];
  const target = resolve(session.folder, path);
  const folder = findProjectAround(target);
  if (folder === undefined) {
    const message = `\`${path}\` is not in a project.`;
    const help = 'Name a file of one: `npx scaffold why my-api/src/app.ts:12`.';
    throw new UserError('SCF503', message, { exit: exitCode.usage, help });
  }
  const file = displayPath({ folder }, target);
  const project = await readProject(folder);
  const answer = explainOrigin(project, file, at === undefined ? undefined : Number(at));
  const places = await listSchemaLines(session, project, answer);
  const { style } = session.terminal.out;
  const text = [
    style.strong([file, answer.line].filter((it) => it !== undefined).join(':')),
    answer.origin,
    ...places.map(({ element, file: schema, line }) => `${schema}:${line} has \`${element}\`.`),
    ...(answer.template === undefined ? [] : [`Template: \`templates/${answer.template}\`.`]),
  ];
  const data = { why: { ...answer, places } };
  return report(session, { exit: exitCode.done, text: `${text.join('\n')}\n`, data });
}

/** Where the schema has these parts. Defaults and removed parts have no place. */
async function listSchemaLines(session: Session, { folder }: Project, { elements }: Origin) {
  if (elements.length === 0) return [];
  const { text, file } = await readSchemaText(session, locateSchema(session, folder));
  return elements.flatMap((element) => {
    const line = findLine(text, element);
    return line === undefined ? [] : [{ element, file: displayPath(session, resolve(file)), line }];
  });
}

/** Throws (SCF003) if there is no such file or line. */
export function explainOrigin(project: Project, file: string, line?: number): Origin {
  const { disk, record, app, openConflicts } = project;
  const text = readText(disk, file);
  const recorded = record.files[file];
  if (text === undefined) throw missingFile(file, recorded);
  const here = { file, ...present({ line }), elements: [] };
  const now = lines(toUnixLines(text));
  if (line !== undefined && (line < 1 || line > now.length)) throw missingLine(file, now.length);
  if (recorded === undefined) return { ...here, ...withoutRecord(file) };
  const template = findTemplate(app, recorded.id);
  const origin = { ...here, ...present({ template }) };
  if (openConflicts.some(({ path }) => path === file)) {
    const both = 'You and scaffold both changed this file: `npx scaffold resolve` shows where.';
    return { ...origin, isYours: true, origin: both };
  }
  const isEdited = hashText(text) !== recorded.base;
  // Migrations are never merged, so they have no base.
  const former = isEdited ? readFormerBases(project)({ path: file, recorded }) : undefined;
  const base = former ?? toUnixLines(text);
  const changes = listChangedLines(lines(base), now);
  if (isEdited && changes.length === 0) {
    return { ...origin, isYours: true, origin: 'You edited it, or git merged it.' };
  }
  const own = changes.find(
    ({ after: [start, count] }) => line !== undefined && line > start && line <= start + count,
  );
  if (own) return { ...origin, isYours: true, origin: describeOwn(own.before, lines(base)) };
  const parts =
    record.templates === digestTemplates()
      ? traceOrigins(app, (id) => id === recorded.id).get(recorded.id)
      : undefined;
  if (line === undefined) return { ...origin, ...describeFile(recorded, changes, parts) };
  const before = changes.filter(({ after: [start] }) => start < line);
  const moved = before.reduce((sum, { before: [, was], after: [, is] }) => sum + was - is, 0);
  const elements = parts?.[line - 1 + moved] ?? [];
  return { ...origin, elements, isYours: false, origin: describeOrigin(elements, recorded, parts) };
}

type PlainOrigin = Pick<Origin, 'origin' | 'isYours'>;

function missingFile(file: string, recorded: RecordedFile | undefined): UserError {
  return new UserError('SCF003', `\`${file}\` does not exist.`, {
    exit: exitCode.usage,
    help: recorded
      ? `Scaffold made it, and you deleted it: \`--restore ${file}\` brings it back.`
      : 'Name a file of the project.',
  });
}

function missingLine(file: string, count: number): UserError {
  const message = `\`${file}\` has ${count} lines.`;
  return new UserError('SCF003', message, { exit: exitCode.usage, help: 'Name one of them.' });
}

function withoutRecord(file: string): PlainOrigin {
  if (isSchemaFile(file)) return { isYours: true, origin: 'Yours: the schema.' };
  if (isBelowScaffold(file)) {
    return { isYours: false, origin: 'What scaffold keeps of its last run.' };
  }
  if (file === '.env') {
    const origin = 'The settings of this machine, made by `scaffold new`; git does not keep it.';
    return { isYours: true, origin };
  }
  return { isYours: true, origin: 'Yours: scaffold did not make this file.' };
}

function describeFile(
  recorded: RecordedFile,
  changes: ReturnType<typeof listChangedLines>,
  parts: readonly (readonly string[])[] | undefined,
): PlainOrigin & Pick<Origin, 'elements'> {
  const elements =
    recorded.model === undefined ? [...new Set((parts ?? []).flat())] : [recorded.model];
  const places = changes.map(({ after: [start, count] }) =>
    count > 1 ? `${start + 1}–${start + count}` : `${start + 1}`,
  );
  const edits =
    places.length === 0
      ? 'It is as scaffold wrote it.'
      : `You edited it: ${places.length === 1 ? 'line' : 'lines'} ${joinWithAnd(places)}.`;
  return {
    elements,
    isYours: places.length > 0,
    origin: `${describeOrigin(elements, recorded, parts)} ${edits}`,
  };
}

function describeOrigin(
  elements: readonly string[],
  { policy, id }: RecordedFile,
  parts: unknown,
): string {
  if (policy === 'appended') return 'A migration: written once, then never changed.';
  if (elements.length > 0) return `From ${joinWithAnd(inTicks(elements))} of the schema.`;
  if (parts === undefined)
    return 'Made by another version of scaffold: `regenerate` brings it up to this one.';
  return isBelowScaffold(id) ? 'From the schema language.' : 'The same whatever the schema says.';
}

function describeOwn([start, count]: readonly [number, number], base: readonly string[]): string {
  if (count === 0) return 'Yours: you added it.';
  const was = base.slice(start, start + count).map((it) => it.trim());
  return `Yours. Scaffold wrote \`${was[0]}\`${count > 1 ? ` and ${count - 1} more` : ''} here.`;
}
