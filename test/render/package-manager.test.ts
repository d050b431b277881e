import { expect, test } from 'vitest';
import { packageManagers } from '../../src/model/package-managers.ts';
import { carryIds } from '../../src/model/carry.ts';
import { renderApp } from '../../src/render/render.ts';
import { appOf } from '../evolve/support/app-of.ts';

const app = appOf('models: { Post: { fields: { title: string } } }');

function textsOf(packageManager: (typeof packageManagers)[number]): ReadonlyMap<string, string> {
  const files = renderApp({ ...app, packageManager });
  return new Map(files.map(({ path, content }) => [path, content]));
}

const lockFiles = {
  npm: 'package-lock.json',
  pnpm: 'pnpm-lock.yaml',
  yarn: 'yarn.lock',
  bun: 'bun.lock',
};

test.each(packageManagers)('the image and CI of %s install what its lock file says', (manager) => {
  const texts = textsOf(manager);
  const frozen = manager === 'npm' ? 'npm ci' : `${manager} install --frozen-lockfile`;
  const install = `if [ -f ${lockFiles[manager]} ]; then ${frozen}; else ${manager} install; fi`;
  expect(texts.get('Dockerfile')).toContain(
    `COPY package.json ${lockFiles[manager]}* ./\nRUN ${install}\n`,
  );
  expect(texts.get('.github/workflows/ci.yml')).toContain(
    `      - run: ${install}\n      - run: ${manager} run check\n`,
  );
});

test.each(['pnpm', 'yarn', 'bun'] as const)('texts for %s do not mention npm', (manager) => {
  const texts = textsOf(manager);
  for (const path of ['README.md', 'AGENTS.md']) {
    expect([path, /\bnpm (run|install|test|start)\b/.exec(texts.get(path) ?? '')]).toEqual([
      path,
      null,
    ]);
  }
  const { scripts } = JSON.parse(texts.get('package.json') ?? '');
  expect(scripts.check).not.toMatch(/\bnpm /);
});

test('a project keeps the package manager that it was made with', () => {
  expect(carryIds({ ...app, packageManager: 'pnpm' }, app)).toHaveProperty(
    'packageManager',
    'pnpm',
  );
});
