import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import prisma from '@prisma/prisma-schema-wasm';
import { describe, expect, test } from 'vitest';
import { withDatabase } from '../../src/commands/edit-schema.ts';
import { makeNotebook } from '../../src/import/notes.ts';
import { convertPrisma } from '../../src/import/prisma/convert.ts';
import { readPrisma } from '../../src/import/prisma/read.ts';
import { writeSchema } from '../../src/import/write-schema.ts';
import type { App } from '../../src/model/app.ts';
import { parseSchema } from '../../src/schema/parse.ts';
import { commandLine } from '../cli/in-process.ts';
import { root } from '../support/root.ts';
import { scratchFolder } from '../support/scratch.ts';
import { appOf } from './import-database.ts';
import { imported, importFixtures } from './import-fixtures.ts';
import { asItIs, ownSchemas, ownWithOtherKeys } from './own-schemas.ts';
import { prismaOf } from './prisma-of.ts';

describe.each(importFixtures)('the Prisma schema of a %s', (name) => {
  const { folder, files, notes } = imported(name);

  test.each(Object.keys(files))('becomes this %s', async (file) => {
    expect(files[file]).toBe(await readFile(join(folder, file), 'utf8'));
  });

  test('becomes a schema without problems', () => {
    expect(parseSchema(files['schema.yaml'] ?? '').problems).toEqual([]);
  });

  test('has every element, as Prisma itself reads it, in the schema or in the report', async () => {
    const app = appOf(files['schema.yaml'] ?? '');
    const said = new Set(notes.notes.map(({ what }) => what.split(' ')[0]));
    const views = notes.notes.flatMap(({ what }) => /^view (\w+)/.exec(what)?.[1] ?? []);
    const { models } = await dmmf(folder);
    const lost = models.flatMap((model) => {
      if (views.includes(model.name)) return [];
      const ours = app.models.find(
        (it) => it.names.type.toLowerCase() === model.name.toLowerCase(),
      );
      const names = new Set([
        'id',
        ...(ours?.fields.map((it) => it.name) ?? []),
        ...(ours?.relations.map((it) => it.name) ?? []),
      ]);
      const keys = model.fields.flatMap((field) => field.relationFromFields ?? []);
      return model.fields
        .filter(({ name: field }) => !names.has(field) && !keys.includes(field))
        .map((field) => `${model.name}.${field.name}`)
        .filter((what) => !said.has(what));
    });
    expect(lost).toEqual([]);
  });
});

describe('an app of ours, written for Prisma and imported again,', () => {
  test.each([...ownSchemas.map((path) => [path, asItIs] as const), ...ownWithOtherKeys])(
    'is the same as far as Prisma has words for it: %s, %o',
    async (path, revise) => {
      const text = prismaOf(await ownApp(path, revise));
      expect(() => prisma.get_dmmf(JSON.stringify({ prismaSchema: text }))).not.toThrow();
      const file = join(await scratchFolder('written-for-prisma'), 'schema.prisma');
      await writeFile(file, text);
      const notes = makeNotebook();
      const again = writeSchema(convertPrisma(readPrisma(file), notes), 'imported');
      expect(prismaOf(appOf(again))).toBe(text);
      const others = notes.notes.filter(
        ({ kind, became }) => kind !== 'access' && !became.startsWith('many-to-many;'),
      );
      expect(others).toEqual([]);
    },
  );
});

/** An app on PostgreSQL, where every key has an index: so Prisma's keys get one. */
async function ownApp(path: string, revise: (text: string) => string): Promise<App> {
  const file = join(root, path);
  const written = await readFile(file, 'utf8');
  const { text } = withDatabase({ text: written, file }, 'postgres');
  return appOf(revise(text.replace(' index: false,', '')));
}

describe('scaffold import prisma', () => {
  test('writes both files, and replaces nothing unless it is told to', async () => {
    const cwd = await scratchFolder('import');
    const { folder } = imported('library');
    await writeFile(join(cwd, 'a.prisma'), await readFile(join(folder, 'schema.prisma')));
    const run = (...more: readonly string[]) =>
      commandLine(['import', 'prisma', 'a.prisma', ...more], { cwd });
    expect(await run()).toMatchObject({ code: 0, stdout: expect.stringContaining('10 models') });
    expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') });
    expect(await run('--force')).toMatchObject({ code: 0 });
    expect(await commandLine(['check', 'schema.yaml'], { cwd })).toMatchObject({ code: 0 });
  });

  test('says that there is no such file, or that it is not a Prisma schema', async () => {
    const cwd = await scratchFolder('import-none');
    const run = (path: string) => commandLine(['import', 'prisma', path], { cwd });
    expect(await run('nowhere.prisma')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('SCF651'),
    });
    await writeFile(join(cwd, 'b.prisma'), 'model {');
    expect(await run('b.prisma')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('`b.prisma`'),
    });
    await writeFile(join(cwd, 'c.prisma'), 'enum Size {\n  S\n}\n\nenum Kind { A B }\n');
    expect(await run('c.prisma')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('`c.prisma` is not a Prisma schema (line 5): '),
    });
  });
});

interface Dmmf {
  readonly models: readonly {
    readonly name: string;
    readonly fields: readonly {
      readonly name: string;
      readonly relationFromFields?: readonly string[];
    }[];
  }[];
}

/** The schema as Prisma's own parser knows it. */
async function dmmf(folder: string): Promise<Dmmf> {
  const text = await readFile(join(folder, 'schema.prisma'), 'utf8');
  const request = { prismaSchema: text.replace(/^\s*url\s*=.*$/m, '') };
  const { datamodel } = JSON.parse(prisma.get_dmmf(JSON.stringify(request)));
  return datamodel;
}
