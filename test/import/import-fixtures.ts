import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeNotebook, type Notebook } from '../../src/import/notes.ts';
import { convertPrisma } from '../../src/import/prisma/convert.ts';
import { readPrisma } from '../../src/import/prisma/read.ts';
import { printImportReport } from '../../src/import/report.ts';
import { writeSchema } from '../../src/import/write-schema.ts';
import { root } from '../support/root.ts';

const folder = join(root, 'fixtures/import');

export const importFixtures: readonly string[] = readdirSync(folder).toSorted();

export interface Imported {
  readonly folder: string;
  readonly notes: Notebook;
  /** The files that the command would write, by name. */
  readonly files: Readonly<Record<string, string>>;
}

/** What `scaffold import prisma` makes of `fixtures/import/<name>/schema.prisma`. */
export function imported(name: string): Imported {
  const at = join(folder, name);
  const notes = makeNotebook();
  const draft = convertPrisma(readPrisma(join(at, 'schema.prisma')), notes);
  const files = {
    'schema.yaml': writeSchema(draft, name),
    'import-report.md': printImportReport(notes, 'schema.prisma'),
  };
  return { folder: at, notes, files };
}

/** Records what is written now. Read the difference before you commit it. */
export function writeImportFixtures(): void {
  for (const name of importFixtures) {
    const { folder: at, files } = imported(name);
    for (const [file, text] of Object.entries(files)) writeFileSync(join(at, file), text);
  }
}
