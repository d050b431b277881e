import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { goldenApps } from '../support/golden-apps.ts';

/** From below: a folder imports from those before it. Any other folder is a model's. */
const floorOf = (folder: string) =>
  ({ lib: 0, database: 0, mail: 0, auth: 2, plugins: 3, commands: 4 })[folder] ?? 1;

test.each(goldenApps)('no folder of $name on $engine imports from above it', ({ render }) => {
  const upward = render().flatMap(({ path, content }) => {
    const [, folder] = /^src\/([\w-]+)\//.exec(path) ?? [];
    if (folder === undefined) return [];
    return importsOf(path, content)
      .filter((imported) => floorOf(imported) > floorOf(folder))
      .map((imported) => `${path} imports from ${imported}/`);
  });
  expect(upward).toEqual([]);
});

/** The folders of `src` that a file imports from as it runs: types are no reason to load anything. */
function importsOf(path: string, content: string): readonly string[] {
  const imports = content.matchAll(/^import (?!type )[^;]*? from '(\.[^']+)'/gm);
  return [...imports].flatMap(([, to = '']) => {
    const [, folder] = /^src\/([\w-]+)\//.exec(posix.join(posix.dirname(path), to)) ?? [];
    return folder ?? [];
  });
}
