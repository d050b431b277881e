import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, type Page, type Response as PageResponse } from 'playwright-core';
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

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

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
    const pages = ['/', '/outbox', '/reset-password', '/confirm-email', '/docs'];
    for (const path of pages) {
      await narrow.goto(server.url + path);
      if (path === '/docs') await narrow.getByText('Authentication').first().waitFor();
      await picture(narrow, `${path.slice(1) || 'home'}-${width}`);
      expect([path, await narrow.evaluate('document.documentElement.scrollWidth')]).toEqual([
        path,
        width,
      ]);
      await expectSound(narrow, path === '/docs' ? rulesOfScalar : []);
    }
    await narrow.close();
    expect(complaints).toEqual([]);
  });

  test('the docs log in, are still logged in after a reload, and try a call', async () => {
    await page.goto(`${server.url}/docs`);
    expect(await page.title()).toBe('blog API');
    await page.getByText('The username is the email address.').first().waitFor();
    await expect.poll(() => page.getByText('Client Secret').first().isVisible()).toBe(false);
    await type('Username', ann.email);
    await type('Password', ann.password);
    const answered = page.waitForResponse((response) => response.url().endsWith('/auth/token'));
    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    expect((await answered).status()).toBe(200);
    const kept = () => page.evaluate("JSON.stringify(localStorage).includes('eyJ')");
    await expect.poll(kept, { timeout: 60_000 }).toBe(true);

    const called = await call('GET', '/auth/me');
    expect(await called.json()).toMatchObject({ email: ann.email });
    await picture(page, 'docs-me');
    expect(complaints).toEqual([]);
  });

  test('the docs create a row, and list rows with a filter', async () => {
    const created = await call('POST', '/api/posts');
    expect(created.status()).toBe(201);
    await picture(page, 'docs-created');
    const all = await call('GET', '/api/posts');
    expect(await all.json()).toMatchObject({ total: 1 });
    const filter = JSON.stringify(['title', 'icontains', 'no such title']);
    const none = await call('GET', '/api/posts', { filter });
    expect(await none.json()).toMatchObject({ total: 0 });
    await picture(page, 'docs-filtered');
    const both = { title__icontains: 'no such title', views__gte: '0' };
    const neither = await call('GET', '/api/posts', { filters: JSON.stringify(both) }, both);
    expect(await neither.json()).toMatchObject({ total: 0 });
    const kept = await call('GET', '/auth/me');
    expect(await kept.json()).toMatchObject({ email: ann.email });
    expect(complaints).toEqual([]);
  });

  test('a list in the docs shows its filters as one parameter, and a row as it is answered', async () => {
    await page.goto(`${server.url}/docs#tag/post/GET/api/posts`);
    await page.reload();
    await page.getByText('Filter by any field').first().waitFor();
    const text = () => page.locator('body').innerText();
    await expect.poll(text).toMatch(/"id": 1,[^]*"deleted_at": null/);
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
    await expectSound(window);
    await link.click();
    await window.getByLabel('New password').fill('a new long password');
    await picture(window, 'reset-password-form');
    await expectSound(window);
    await window.getByRole('button', { name: 'Set the password' }).click();
    await window.getByRole('status').waitFor();
    await post('/auth/token', { username: ann.email, password: 'a new long password' });
    await window.close();
    expect(complaints).toEqual([]);
  });

  test.each([1280, 390])('at %i pixels, a mail leads to a new address', async (width) => {
    const old = { ...ann, email: `old-${width}@example.test` };
    await post('/auth/register', old);
    const email = `new-${width}@example.test`;
    const { access_token } = await post('/auth/token', { ...old, username: old.email });
    const body = { email, current_password: ann.password };
    await post('/auth/change-email', body, { authorization: `Bearer ${access_token}` });
    const window = await open(width);
    const link = window
      .locator('article', { hasText: email })
      .getByRole('link', { name: /confirm-email\?token=/ });
    await expect
      .poll(async () => (await window.goto(`${server.url}/outbox`), link.count()), {
        timeout: hanging,
        interval: 500,
      })
      .toBe(1);
    await link.click();
    await expectSound(window);
    await picture(window, `confirm-email-form-${width}`);
    await window.getByRole('button', { name: 'Confirm the address' }).click();
    await window.getByRole('status').waitFor();
    await expectSound(window);
    await post('/auth/token', { username: email, password: ann.password });
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

  /** Tries a call in the reference, freshly loaded, as somebody does who reads on another day. */
  async function call(
    method: string,
    path: string,
    typed: Readonly<Record<string, string>> = {},
    query = typed,
  ) {
    const tag = path.startsWith('/auth/') ? 'auth' : 'post';
    await page.goto(`${server.url}/docs#tag/${tag}/${method}${path}`);
    await page.reload();
    const name = new RegExp(`Test Request.*${method} ${path}`, 'i');
    await page.getByRole('button', { name }).first().click();
    for (const [key, value] of Object.entries(typed)) {
      const row = page.locator('tr', { has: page.getByText(key, { exact: true }) });
      await row.locator('.cm-content').last().click();
      await page.keyboard.insertText(value);
    }
    const isMeant = (response: PageResponse) => {
      const { pathname, searchParams } = new URL(response.url());
      const isWhole = Object.entries(query).every(
        ([key, value]) => searchParams.get(key) === value,
      );
      return pathname === path && response.request().method() === method && isWhole;
    };
    const send = page.getByRole('button', { name: 'Send' }).first();
    const answered = page.waitForResponse(isMeant, { timeout: hanging });
    await send.click();
    // The reference takes a typed value a moment later: a read that went without it is sent again.
    const again =
      method === 'GET' ? setInterval(() => void send.click().catch(ignore), 3000) : undefined;
    try {
      return await answered;
    } finally {
      clearInterval(again);
    }
  }

  /** Into a field of the reference, which is an editor and not an input. */
  async function type(label: string, text: string): Promise<void> {
    const row = page.locator('tr').filter({ hasText: label });
    await row.locator('.cm-content, input').first().click();
    await page.keyboard.type(text);
  }

  async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return Object(await response.json());
  }
});

function ignore(): void {}

function unreachable(): never {
  throw new Error('Skipped without a browser.');
}

/** What axe finds in Scalar's own markup, which is not ours to change; its colours are ours. */
const rulesOfScalar = [
  'aria-allowed-attr',
  'aria-allowed-role',
  'aria-input-field-name',
  'aria-required-children',
  'button-name',
  'label-content-name-mismatch',
  'landmark-unique',
];

interface Finding {
  readonly id: string;
  readonly elements: readonly string[];
}

/** Nothing that keeps somebody out, as axe finds it, and no script that stands in the page. */
async function expectSound(page: Page, exceptions: readonly string[] = []): Promise<void> {
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

async function picture(shown: Page, name: string): Promise<void> {
  await mkdir(cacheFolder, { recursive: true });
  await shown.screenshot({ path: join(cacheFolder, `${name}.png`) });
}
