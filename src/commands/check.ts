import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { exitCode, UserError, type ExitCode } from '../errors.ts';
import { buildApp } from '../model/build.ts';
import { readRecord, recordPath, type Record } from '../project/record.ts';
import { renderProject } from '../project/render-project.ts';
import { parseSchema } from '../schema/parse.ts';
import { printChanges, printDiagnostics, report, type Session } from '../terminal/report.ts';
import { listBehind } from './check/behind.ts';
import { printWarnings, reportProblems, toDiagnostics } from './problems.ts';
import { readSchemaText, type Origin } from './schema-text.ts';

/** Is the schema sound; and, in a project, does it still make what the project was made of? */
export async function runCheck(session: Session, path: string): Promise<ExitCode> {
  const source = await readSchemaText(session, findSchema(session, path));
  const { schema, problems } = parseSchema(source.text, source.file);
  if (!schema) return reportProblems(session, source, problems);
  printWarnings(session, source, problems);

  const app = buildApp(schema);
  const found = toDiagnostics(source, problems);
  const sound = `\`${source.file}\` is sound: ${counted(app.models.length, 'model')}.`;
  const record = await findRecord(resolve(session.folder, path));
  if (!record)
    return report(session, { exit: exitCode.done, diagnostics: found, text: `${sound}\n` });

  const changes = listBehind(record, app, renderProject(app, source.text));
  if (changes.length === 0) {
    const text = `${sound} The project is in step with it.\n`;
    return report(session, { exit: exitCode.done, diagnostics: found, text });
  }
  const behind = {
    code: 'SCF502',
    severity: 'error',
    message: behindMessage(changes.length),
  } as const;
  printChanges(session.terminal, changes);
  printDiagnostics(session.terminal, [behind]);
  return report(session, {
    exit: exitCode.behind,
    changes,
    diagnostics: [...found, behind],
  });
}

const behindMessage = (files: number) =>
  `The project is behind its schema: ${counted(files, 'file')} would change.`;

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const schemaFiles = ['schema.yaml', 'schema.json'];

/** In a folder, the schema at its root; a file is one itself. */
function findSchema({ folder }: Session, path: string): Origin {
  if (path === '-') return { kind: 'stdin' };
  const target = resolve(folder, path);
  if (!statSync(target, { throwIfNoEntry: false })?.isDirectory()) return { kind: 'file', path };
  const name = schemaFiles.find((file) => existsSync(join(target, file)));
  if (name) return { kind: 'file', path: path === '.' ? name : join(path, name) };
  throw new UserError(
    'SCF003',
    `There is no \`schema.yaml\` and no \`schema.json\` in \`${path}\`.`,
    {
      exit: exitCode.usage,
      help: 'Name the folder of a project, or a schema file: `scaffold check my-api`.',
    },
  );
}

async function findRecord(project: string): Promise<Record | undefined> {
  const file = join(project, recordPath);
  return existsSync(file) ? readRecord(await readFile(file, 'utf8')) : undefined;
}
