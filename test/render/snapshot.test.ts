import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { goldenApps } from '../support/golden-apps.ts';

const hint = 'When the change is meant: `npm run fixtures`, then read what git shows.';

describe.each(goldenApps)('$name on $engine', ({ folder, render }) => {
  const files = render();

  test.each(files.map(({ path, content }) => ({ path, content })))('$path', ({ path, content }) => {
    const committed = join(folder, path);
    expect(existsSync(committed), `${path} is not in fixtures/. ${hint}`).toBe(true);
    expect(content, hint).toBe(readFileSync(committed, 'utf8'));
  });

  test('nothing else is there', () => {
    const left = filesBelow(folder).filter((path) => !files.some((file) => file.path === path));
    expect(left, hint).toEqual([]);
  });
});

/** Without what installing, building and running the app leaves there. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((path) => !/^(node_modules|dist|var)\/|^package-lock\.json$/.test(path));
}
