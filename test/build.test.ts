import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './support/root.ts';
import { run } from './support/run.ts';
import { scratchFolder } from './support/scratch.ts';

test('a build writes its output if the source has changed, and then removes modules that are gone', async () => {
  const folder = await scratchFolder('build');
  const settings = { compilerOptions: { rootDir: 'src', outDir: 'dist' }, include: ['src'] };
  await writeFile(join(folder, 'tsconfig.build.json'), JSON.stringify(settings));
  await writeFile(join(folder, 'tsconfig.json'), '{}');
  await mkdir(join(folder, 'src/garden'), { recursive: true });
  await writeFile(join(folder, 'src/main.ts'), 'export const one: number = 1;\n');
  await writeFile(join(folder, 'src/garden/oak.ts'), 'export const height: number = 20;\n');
  const build = () => run(process.execPath, [join(root, 'build.js')], { cwd: folder });
  const built = async () => {
    const names = await readdir(join(folder, 'dist'), { recursive: true });
    return names.filter((name) => name !== '.built-from').toSorted();
  };
  const main = join(folder, 'dist/main.js');

  expect(await build()).toMatchObject({ code: 0 });
  expect(await built()).toEqual(['garden', join('garden', 'oak.js'), 'main.js']);
  await rm(join(folder, 'src/garden/oak.ts'));
  await writeFile(join(folder, 'src/garden/elm.ts'), 'export const height: number = 30;\n');
  expect(await build()).toMatchObject({ code: 0 });
  expect(await built()).toEqual(['garden', join('garden', 'elm.js'), 'main.js']);
  expect(await readFile(main, 'utf8')).toContain('export const one = 1;');

  await writeFile(main, 'as it was\n');
  expect(await build()).toMatchObject({ code: 0 });
  expect(await readFile(main, 'utf8')).toBe('as it was\n');
  const elm = join(folder, 'src/garden/elm.ts');
  const whole = await readFile(elm, 'utf8');
  await writeFile(elm, 'export const height = ;\n');
  expect(await build()).toMatchObject({ code: 1 });
  await writeFile(elm, whole);
  expect(await build()).toMatchObject({ code: 0 });
  expect(await readFile(main, 'utf8')).toContain('export const one = 1;');

  await writeFile(elm, 'export const height = ;\n');
  await rm(join(folder, 'src/main.ts'));
  expect(await build()).toMatchObject({ code: 1 });
  expect(await built()).toContain('main.js');
});
