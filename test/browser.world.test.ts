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

const ann = { name: 'Ann', email: 'ann@example.test', password: 'correct horse battery' };

describe.skipIf(browser === undefined)('the pages in a real browser', () => {
  let server: Server;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    const { folder, env } = await builtApp('blog', 'sqlite');
    server = await startServer({
      cwd: folder,
      env: { ...env, NODE_ENV: 'development', LOG_LEVEL: 'info' },
      command: [process.execPath, 'dist/server.js', '--migrate'],
    });
    await post('/auth/register', ann);
    page = await open(1280);
  });

  afterAll(() => server.stop());

  test.each([1280, 390])('fit a window of %i pixels', async (width) => {
    const narrow = await open(width);
    for (const path of ['/', '/outbox', '/reset-password', '/docs']) {
      await narrow.goto(server.url + path);
      if (path === '/docs') await narrow.getByText('Authentication').first().waitFor();
      expect([path, await narrow.evaluate('document.documentElement.scrollWidth')]).toEqual([
        path,
        width,
      ]);
      await picture(narrow, `${path.slice(1) || 'home'}-${width}`);
    }
    await narrow.close();
    expect(complaints).toEqual([]);
  });

  test('the docs log in, are still logged in after a reload, and try a call', async () => {
    await page.goto(`${server.url}/docs`);
    expect(await page.title()).toBe('blog API');
    await page.getByText('The username is the email address.').first().waitFor();
    await type('Username', ann.email);
    await type('Password', ann.password);
    const answered = page.waitForResponse((response) => response.url().endsWith('/auth/token'));
    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    expect((await answered).status()).toBe(200);
    const kept = () => page.evaluate("JSON.stringify(localStorage).includes('eyJ')");
    await expect.poll(kept, { timeout: 60_000 }).toBe(true);

    await page.goto(`${server.url}/docs#tag/auth/GET/auth/me`);
    await page.reload();
    await page
      .getByRole('button', { name: /Test Request.*get \/auth\/me/i })
      .first()
      .click();
    const called = page.waitForResponse((response) => response.url().endsWith('/auth/me'));
    await page.getByRole('button', { name: 'Send' }).first().click();
    expect(await (await called).json()).toMatchObject({ email: ann.email });
    await picture(page, 'docs-me');
    expect(complaints).toEqual([]);
  });

  test('a list in the docs shows its filters as one parameter', async () => {
    await page.goto(`${server.url}/docs#tag/post/GET/api/posts`);
    await page.reload();
    await page.getByText('Filter by any field').first().waitFor();
    await picture(page, 'docs-list');
    expect(complaints).toEqual([]);
  });

  test('the mail in the outbox leads to a new password', async () => {
    const window = await open(390);
    await window.goto(`${server.url}/reset-password`);
    await window.getByLabel('Email address').fill(ann.email);
    await window.getByRole('button', { name: 'Send me a link' }).click();
    await window.getByRole('status').waitFor();

    const link = window.getByRole('link', { name: /reset-password\?token=/ });
    await expect
      .poll(async () => (await window.goto(`${server.url}/outbox`), link.count()), {
        timeout: hanging,
        interval: 500,
      })
      .toBe(1);
    await picture(window, 'outbox-mail');
    await link.click();
    await window.getByLabel('New password').fill('a new long password');
    await picture(window, 'reset-password-form');
    await window.getByRole('button', { name: 'Set the password' }).click();
    await window.getByRole('status').waitFor();
    await post('/auth/token', { username: ann.email, password: 'a new long password' });
    await window.close();
    expect(complaints).toEqual([]);
  });

  async function open(width: number): Promise<Page> {
    const opened = await (browser ?? unreachable()).newPage({ viewport: { width, height: 900 } });
    opened.setDefaultTimeout(60_000);
    opened.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    opened.on('pageerror', (error) => complaints.push(error.message));
    opened.on('request', (request) => {
      const isOurs = [server.url, 'data:', 'blob:'].some((start) =>
        request.url().startsWith(start),
      );
      if (!isOurs) complaints.push(`asks ${request.url()}`);
    });
    return opened;
  }

  /** Into a field of the reference, which is an editor and not an input. */
  async function type(label: string, text: string): Promise<void> {
    const row = page.locator('tr').filter({ hasText: label });
    await row.locator('.cm-content, input').first().click();
    await page.keyboard.type(text);
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

async function picture(shown: Page, name: string): Promise<void> {
  await mkdir(cacheFolder, { recursive: true });
  await shown.screenshot({ path: join(cacheFolder, `${name}.png`) });
}
