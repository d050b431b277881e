import { type Browser, type Page, type Response as PageResponse } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from './support/browser.ts';
import { builtApp } from './support/built-app.ts';
import { expectSound, picture } from './support/page.ts';
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
  let calls: Calls;
  const complaints: string[] = [];

  beforeAll(async () => {
    const { folder, env } = await builtApp('blog', 'sqlite');
    server = await startServer({
      cwd: folder,
      env: { ...env, NODE_ENV: 'development', LOG_LEVEL: 'info' },
      command: [process.execPath, 'dist/server.js', '--migrate'],
    });
    await post('/auth/register', ann);
    calls = Object(await (await fetch(`${server.url}/openapi.json`)).json()).paths;
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

  describe.each([1280, 390])('the docs in a window of %i pixels', (width) => {
    const reader = { ...ann, email: `reader-${width}@example.test` };
    let docs: Page;

    beforeAll(async () => {
      await post('/auth/register', reader);
      docs = await open(width);
    });

    afterAll(() => docs.close());

    test('answer each public call before anybody has logged in', async () => {
      const known = Object.entries(calls).filter(
        ([path, { get }]) => !path.includes('{') && get !== undefined && isPublic(get),
      );
      expect(known.length).toBeGreaterThan(3);
      for (const [path] of known) {
        const answer = await call(docs, 'GET', path);
        expect([path, answer.status()]).toEqual([path, 200]);
      }
      expect(complaints).toEqual([]);
    });

    test('log in, are still logged in after a reload, and try a call', async () => {
      await docs.goto(`${server.url}/docs`);
      expect(await docs.title()).toBe('blog API');
      await docs.getByText('The username is the email address.').first().waitFor();
      await expect.poll(() => docs.getByText('Client Secret').first().isVisible()).toBe(false);
      await type(docs, 'Username', reader.email);
      await type(docs, 'Password', reader.password);
      const answered = docs.waitForResponse((response) => response.url().endsWith('/auth/token'));
      await docs.getByRole('button', { name: 'Authorize', exact: true }).click();
      expect((await answered).status()).toBe(200);
      const kept = () => docs.evaluate("JSON.stringify(localStorage).includes('eyJ')");
      await expect.poll(kept, { timeout: hanging }).toBe(true);

      const called = await call(docs, 'GET', '/auth/me');
      expect(await called.json()).toMatchObject({ email: reader.email });
      await picture(docs, `docs-me-${width}`);
      expect(complaints).toEqual([]);
    });

    test('create a row from the body that they show, and list it with a filter', async () => {
      const made = await call(docs, 'POST', '/api/posts/');
      const { title } = await made.json();
      expect([made.status(), title]).toEqual([201, 'The first snow']);
      const filtered = async (wanted: string) => {
        const filter = JSON.stringify(['title', 'icontains', wanted]);
        const { items } = await (await call(docs, 'GET', '/api/posts/', { filter })).json();
        return items.map((item: { title: string }) => item.title);
      };
      expect(await filtered('FIRST snow')).toContain(title);
      expect(await filtered('no such title')).toEqual([]);
      await picture(docs, `docs-filtered-${width}`);
      for (const name of ['limit', 'filter', 'title', 'created_at'])
        await docs.getByRole('textbox', { name, exact: true }).waitFor();
      await expectSound(docs, rulesOfScalar);
      const untitled = await call(docs, 'GET', '/api/posts/', { title: 'no such title' });
      expect(await untitled.json()).toMatchObject({ total: 0 });
      expect(complaints).toEqual([]);
    });
  });

  test('the docs show each filter of a list, and explain other comparisons once', async () => {
    await page.goto(`${server.url}/docs#tag/post/GET/api/posts/`);
    await page.reload();
    await page.getByText('Each field of a list is a filter').first().waitFor();
    const text = () => page.locator('body').innerText();
    await expect.poll(text).toMatch(/published_at[^]*author_id/);
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
      .locator('pre', { hasText: email })
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
    opened.setDefaultTimeout(hanging);
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

  /** Tries a call in the reference, freshly loaded, as somebody does who comes back another day. */
  async function call(
    docs: Page,
    method: string,
    path: string,
    query: Readonly<Record<string, string>> = {},
  ) {
    const [tag = ''] = calls[path]?.[method.toLowerCase()]?.tags ?? [];
    await docs.goto(`${server.url}/docs#tag/${tag.toLowerCase()}/${method}${path}`);
    await docs.reload();
    const name = new RegExp(`Test Request.*${method} ${path}`, 'i');
    const send = docs.getByRole('button', { name: 'Send' }).first();
    const isOpened = () =>
      send.waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      );
    // On a busy machine a click can come while the reference is still being drawn, and get lost.
    await expect
      .poll(
        async () => {
          await docs.getByRole('button', { name }).first().click({ timeout: 5000 }).catch(ignore);
          return isOpened();
        },
        { timeout: hanging },
      )
      .toBe(true);
    for (const [key, value] of Object.entries(query)) {
      const row = docs.locator('tr', { has: docs.getByText(key, { exact: true }) });
      await row.locator('.cm-content').last().click();
      await docs.keyboard.insertText(value);
    }
    const isMeant = (response: PageResponse) => {
      const { pathname, searchParams } = new URL(response.url());
      const isWhole = Object.entries(query).every(
        ([key, value]) => searchParams.get(key) === value,
      );
      return pathname === path && response.request().method() === method && isWhole;
    };
    const answered = docs.waitForResponse(isMeant, { timeout: hanging });
    await send.click();
    // The reference picks up a typed value a moment late: a read that was sent without it is sent again.
    const again =
      method === 'GET' ? setInterval(() => void send.click().catch(ignore), 3000) : undefined;
    try {
      return await answered;
    } finally {
      clearInterval(again);
    }
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

/** The part of an OpenAPI document that says who may call what. */
type Calls = Readonly<Record<string, Readonly<Record<string, Call>>>>;

interface Call {
  readonly tags: readonly string[];
  readonly security: readonly object[];
}

const isPublic = ({ security }: Call) =>
  security.length === 0 || security.some((it) => Object.keys(it).length === 0);

/** Into a field of the reference, which is an editor and not an input. */
async function type(docs: Page, label: string, text: string): Promise<void> {
  const row = docs.locator('tr').filter({ hasText: label });
  await row.locator('.cm-content, input').first().click();
  await docs.keyboard.type(text);
}

function ignore(): void {}

function unreachable(): never {
  throw new Error('Skipped without a browser.');
}

/** What axe finds in Scalar's own markup and calls minor or moderate: the rest is fixed, and colours are ours. */
const rulesOfScalar = ['aria-allowed-role', 'landmark-no-duplicate-main', 'landmark-unique'];
