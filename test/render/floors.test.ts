import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { goldenApps } from '../support/golden-apps.ts';

/** From below, as `AGENTS.md` of a project promises: a folder imports from those before it. */
function floorsOf(files: readonly { readonly path: string; readonly content: string }[]) {
  const page = files.find(({ path }) => path === 'AGENTS.md')?.content ?? '';
  const [order = ''] = /`database\/`, `lib\/`.*?`plugins\/`/s.exec(page) ?? [];
  return order.split(/,\s+/).map((name) => name.replaceAll(/[`/]/g, ''));
}

/** Any other folder is a model's. */
function floorOf(folder: string, floors: readonly string[]): number {
  return floors.indexOf(floors.includes(folder) ? folder : 'the models');
}

function upwardImports(
  files: ReturnType<(typeof goldenApps)[number]['render']>,
): readonly string[] {
  const floors = floorsOf(files);
  return files.flatMap(({ path, content }) => {
    const [, folder] = /^src\/([\w-]+)\//.exec(path) ?? [];
    if (folder === undefined) return [];
    return importsOf(path, content)
      .filter((imported) => floorOf(imported, floors) > floorOf(folder, floors))
      .map((imported) => `${path} imports from ${imported}/`);
  });
}

test.each(goldenApps)('no folder of $name on $engine imports from above it', ({ render }) => {
  expect(floorsOf(render())).toContain('the models');
  expect(upwardImports(render())).toEqual([]);
});

test('an import from above is found', () => {
  const [app] = goldenApps;
  const files = app?.render() ?? [];
  const spoilt = files.map((file) =>
    file.path === 'src/lib/sql.ts'
      ? { ...file, content: `import { outbox } from '../mail/outbox.ts';\n${file.content}` }
      : file,
  );
  expect(upwardImports(spoilt)).toEqual(['src/lib/sql.ts imports from mail/']);
});

/** The folders of `src` that a file imports from as it runs: types are no reason to load anything. */
function importsOf(path: string, content: string): readonly string[] {
  const imports = content.matchAll(/^import (?!type )[^;]*? from '(\.[^']+)'/gm);
  return [...imports].flatMap(([, to = '']) => {
    const [, folder] = /^src\/([\w-]+)\//.exec(posix.join(posix.dirname(path), to)) ?? [];
    return folder ?? [];
  });
}
