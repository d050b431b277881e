import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from './support/browser.ts';
import { builtApp } from './support/built-app.ts';
import { cacheFolder } from './support/cache-folder.ts';
import { hanging } from './support/run.ts';
import { say } from './support/say.ts';
import { type Server, startServer } from './support/server.ts';

const browser: Browser | undefined = await launchBrowser();
if (browser === undefined)
  say('no browser on this machine (set CHROMIUM=/path/to/one): its tests are skipped');

afterAll(() => browser?.close());

describe.skipIf(browser === undefined)('the docs page in a real browser', () => {
  let server: Server;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    const { folder, env } = await builtApp('blog', 'sqlite');
    server = await startServer({
      cwd: folder,
      env,
      command: [process.execPath, 'dist/server.js', '--migrate'],
    });
    await post('/auth/register', {
      name: 'Ann',
      email: 'ann@example.test',
      password: 'correct horse battery',
    });
    page = await (browser ?? unreachable()).newPage({ viewport: { width: 1280, height: 1400 } });
    page.setDefaultTimeout(hanging);
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
  });

  afterAll(() => server.stop());

  test('opens, and its security headers forbid nothing that it needs', async () => {
    await page.goto(`${server.url}/docs`);
    await page.getByRole('button', { name: 'Authorize' }).first().waitFor();
    expect(await page.title()).not.toBe('');
    expect(complaints).toEqual([]);
  });

  test('a protected route is refused before the login', () => callMe('401'));

  test('"Authorize" logs in, and then it answers', async () => {
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.locator('#oauth_username').fill('ann@example.test');
    await page.locator('#oauth_password').fill('correct horse battery');
    await page
      .locator('.auth-container')
      .getByRole('button', { name: 'Apply given OAuth2 credentials' })
      .click();
    await page.getByRole('button', { name: 'Remove authorization' }).waitFor();
    await page.locator('.btn-done').first().click();
    await callMe('200');
    await mkdir(cacheFolder, { recursive: true });
    await page.screenshot({ path: join(cacheFolder, 'docs.png') });
    expect(await page.locator('.live-responses-table').innerText()).toContain('ann@example.test');
  });

  /** Until the page shows that status; that of an earlier call may still stand there for a moment. */
  async function callMe(status: string): Promise<void> {
    const operation = page
      .locator('.opblock', { has: page.locator('[data-path="/auth/me"]') })
      .first();
    if (!(await operation.locator('.try-out').isVisible()))
      await operation.locator('.opblock-summary').click();
    // The form unfolds: nothing of it is there at once.
    const tryOut = operation.locator('.try-out button');
    await tryOut.waitFor();
    if ((await tryOut.innerText()) === 'Try it out') await tryOut.click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const shown = operation.locator('.live-responses-table .response-col_status');
    await shown.filter({ hasText: status }).waitFor();
  }

  async function post(path: string, body: unknown): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
  }
});

function unreachable(): never {
  throw new Error('Skipped without a browser.');
}
