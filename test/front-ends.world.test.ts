import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from './support/browser.ts';
import { builtApp } from './support/built-app.ts';
import { freePort } from './support/free-port.ts';
import { frontEndSettings } from './support/front-end.ts';
import { installed } from './support/install.ts';
import { expectSound, picture } from './support/page.ts';
import { root } from './support/root.ts';
import { must } from './support/run.ts';
import { say } from './support/say.ts';
import { scratchFolder } from './support/scratch.ts';
import { type Server, startServer } from './support/server.ts';
import { oneChecker } from './support/type-check.ts';

const browser: Browser | undefined = await launchBrowser();
if (browser === undefined) say('no browser on this machine: the front ends are only compiled');
afterAll(() => browser?.close());

const packages = {
  '@tanstack/react-query': '^5.90.0',
  '@types/node': '^22.0.0',
  '@types/react': '^19.2.0',
  '@types/react-dom': '^19.2.0',
  react: '^19.2.0',
  'react-dom': '^19.2.0',
  typescript: '^7.0.2',
  vite: '^7.3.0',
};

const ann = { name: 'Ann', email: 'ann@example.test', password: 'correct horse battery' };

describe.each(['page', 'react'])('the front end `%s` of the docs', (name) => {
  let server: Server;
  let site: Server;

  beforeAll(async () => {
    const { folder, env } = await builtApp('blog', 'sqlite');
    const web = await scratchFolder(name);
    const port = await freePort();
    server = await startServer({
      cwd: folder,
      env: { ...env, CORS_ORIGINS: `http://127.0.0.1:${port}` },
      command: [process.execPath, 'dist/server.js', '--migrate'],
    });
    await cp(join(root, 'fixtures/clients/page/style.css'), join(web, 'style.css'));
    await cp(join(root, 'fixtures/clients', name), web, { recursive: true });
    await must('npm', ['run', 'client', '--', join(web, 'api.ts')], { cwd: folder, env });
    await symlink(await installed({ dependencies: packages }), join(web, 'node_modules'), 'dir');
    await writeFile(join(web, 'tsconfig.json'), JSON.stringify(frontEndSettings));
    await must('node_modules/.bin/tsc', [...oneChecker], { cwd: web });

    const file = join(web, name === 'page' ? 'main.ts' : 'queries.ts');
    const text = await readFile(file, 'utf8');
    expect(text).toContain("url: 'http://localhost:3000'");
    await writeFile(file, text.replace('http://localhost:3000', server.url));
    await must('node_modules/.bin/vite', ['build', '--target', 'es2022'], { cwd: web });
    const preview = ['preview', '--host', '127.0.0.1', '--port', String(port), '--strictPort'];
    site = await startServer({
      cwd: web,
      command: ['node_modules/.bin/vite', ...preview],
      port,
      ready: '/',
    });

    await send('/auth/register', ann);
    const { access_token } = await send('/auth/token', { ...ann, username: ann.email });
    const authorization = `Bearer ${access_token}`;
    for (let at = 0; at < 23; at += 1) {
      const status = at % 2 === 0 ? 'published' : 'draft';
      const post = { title: `Walk ${at}`, slug: `walk-${at}`, body: 'It snowed.', status };
      await send('/api/posts/', post, { authorization });
    }
  });

  afterAll(async () => {
    await site.stop();
    await server.stop();
  });

  test.skipIf(browser === undefined).each([1280, 390])(
    'signs in, lists, filters and creates at %i pixels',
    async (width) => {
      const complaints: string[] = [];
      const page = await open(width, complaints);
      const status = page.getByRole('status');
      const items = page.getByRole('listitem');
      const press = (label: string) => page.getByRole('button', { name: label }).click();
      const before = await totalOf();
      await expect.poll(() => status.innerText()).toBe(`${before} posts`);
      expect(await items.count()).toBe(10);
      await press('More');
      await expect.poll(() => items.count()).toBe(20);
      await sound(page, `${name}-list-${width}`);

      await page.getByLabel('Email').fill(ann.email);
      await page.getByLabel('Password').fill('wrong');
      await press('Log in');
      await page.getByRole('alert').getByText('password').waitFor();
      await page.getByLabel('Password').fill(ann.password);
      await press('Log in');
      await page.getByText('Logged in as Ann').waitFor();

      await page.getByLabel('Title contains').fill('WALK 1');
      await page.getByLabel('Status').selectOption('draft');
      await press('Search');
      // 1, 11, 13, 15, 17, 19
      await expect.poll(() => status.innerText()).toBe('6 posts');
      await expect.poll(() => items.count()).toBe(6);

      const title = page.getByRole('textbox', { name: /^Title/ });
      await page.getByLabel('Title contains').fill('');
      await page.getByLabel('Status').selectOption('published');
      await title.fill('No');
      await page.getByLabel('Slug').fill(`of-${width}`);
      await page.getByLabel('Text').fill('It thawed.');
      await press('Save');
      await page.getByText('3 or more characters').first().waitFor();
      await sound(page, `${name}-refused-${width}`);
      await title.fill(`Made ${width}`);
      await press('Save');
      await expect.poll(() => page.getByText('3 or more characters').count()).toBe(0);
      await expect.poll(totalOf).toBe(before + 1);

      await page.getByLabel('Title contains').fill(`made ${width}`);
      await press('Search');
      await expect.poll(() => items.allInnerTexts()).toEqual([`Made ${width} (published)`]);
      await page.reload();
      await page.getByText('Logged in as Ann').waitFor();
      await press('Log out');
      await page.getByRole('button', { name: 'Log in' }).waitFor();
      await expect.poll(() => page.getByRole('button', { name: 'Save' }).isVisible()).toBe(false);
      await sound(page, `${name}-end-${width}`);
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  async function open(width: number, complaints: string[]): Promise<Page> {
    if (browser === undefined) throw new Error('Skipped without a browser.');
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    page.setDefaultTimeout(30_000);
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      // The browser reports each refusal of the server by itself.
      const isRefusal = /status of 4\d\d/.test(message.text());
      if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
    });
    await page.goto(site.url);
    return page;
  }

  async function totalOf(): Promise<number> {
    const response = await fetch(`${server.url}/api/posts/?limit=0`);
    return Object(await response.json()).total;
  }

  async function send(path: string, body: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return Object(await response.json());
  }
});

async function sound(page: Page, shot: string): Promise<void> {
  await picture(page, shot);
  const width = page.viewportSize()?.width;
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  await expectSound(page);
}
