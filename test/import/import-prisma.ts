import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parseSchema } from '../../src/schema/parse.ts';
import { commandLine } from '../cli/in-process.ts';
import { scratchFolder } from '../support/scratch.ts';
import { appOf } from './import-database.ts';

/** What `scaffold import prisma` writes for these models. */
export async function importedPrisma(models: string, provider = 'postgresql') {
  const cwd = await scratchFolder('import-prisma');
  const head = `datasource db {\n  provider = "${provider}"\n}\n`;
  await writeFile(join(cwd, 'a.prisma'), head + models);
  expect(await commandLine(['import', 'prisma', 'a.prisma'], { cwd })).toMatchObject({ code: 0 });
  const text = await readFile(join(cwd, 'schema.yaml'), 'utf8');
  const report = await readFile(join(cwd, 'import-report.md'), 'utf8');
  return { text, report, problems: parseSchema(text).problems, app: appOf(text) };
}
