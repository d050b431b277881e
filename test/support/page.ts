import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { cacheFolder } from './cache-folder.ts';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  readonly id: string;
  readonly elements: readonly string[];
}

/** Nothing that keeps somebody out, as axe finds it, and no script that stands in the page. */
export async function expectSound(page: Page, exceptions: readonly string[] = []): Promise<void> {
  await page.evaluate(axe);
  const findings = await page.evaluate<readonly Finding[]>(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) =>
      ({ id, elements: nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)) })))`,
  );
  const found = findings.filter(({ id }) => !exceptions.includes(id));
  expect({ page: page.url(), found }).toMatchObject({ found: [] });
  const inline = await page.evaluate(
    `[...document.querySelectorAll('*')].filter((it) =>
      (it instanceof HTMLScriptElement && it.text.trim() !== '') ||
      it.getAttributeNames().some((name) => name.startsWith('on'))).length`,
  );
  expect({ page: page.url(), inline }).toMatchObject({ inline: 0 });
}

export async function picture(shown: Page, name: string): Promise<void> {
  await mkdir(cacheFolder, { recursive: true });
  await shown.screenshot({ path: join(cacheFolder, `${name}.png`) });
}
