import { mkdir, readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { printed } from '../cli/printed.ts';
import { freePort } from './free-port.ts';
import { root } from './root.ts';
import { must } from './run.ts';
import { scratchFolder } from './scratch.ts';

/** Somebody who has a version of Node, npm and git, and neither a compiler nor anything of this repository. */
export interface Stranger {
  readonly node: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What npm, its scripts and git call; no cc, make or python. */
const tools = [
  'sh',
  'git',
  'env',
  'uname',
  'sed',
  'cat',
  'ls',
  'mkdir',
  'rm',
  'dirname',
  'basename',
];

/** How this machine reaches the network; npm's own settings of it belong to one version of Node. */
const network = ['NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];

export async function stranger(
  node: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Stranger> {
  const bin = await scratchFolder('stranger');
  await symlink(node, join(bin, 'node'));
  for (const tool of tools) await symlink(await find(tool), join(bin, tool));
  const npm = dirname(await realpath(await find('npm')));
  for (const name of ['npm', 'npx']) {
    const script = `#!/bin/sh\nexec node ${join(npm, `${name}-cli.js`)} "$@"\n`;
    await writeFile(join(bin, name), script, { mode: 0o755 });
  }
  const kept = network.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    node,
    env: { PATH: bin, HOME: process.env['HOME'] ?? '', ...Object.fromEntries(kept), ...env },
  };
}

async function find(tool: string): Promise<string> {
  return (await must('sh', ['-c', `command -v ${tool}`], { cwd: root })).stdout.trim();
}

/** What `npm publish` would upload, of what is built. */
export async function packScaffold(): Promise<string> {
  const folder = await scratchFolder('packed');
  await must('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root });
  const [name = ''] = await readdir(folder);
  return join(folder, name);
}

/** Installs scaffold from its tarball, in an empty folder; returns the folder. */
export async function installPacked(tarball: string, { env }: Stranger): Promise<string> {
  const folder = await scratchFolder('from-tarball');
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await execa('npm', ['install', tarball], { cwd: folder, env, extendEnv: false });
  return folder;
}

export interface Clone {
  readonly program: string;
  /** What npm warned of while it installed. */
  readonly warnings: readonly string[];
}

/** Clones and installs this repository: what the README's first command needs of it, or all, as its second does. */
export async function clone(
  { env }: Stranger,
  { forTests }: { readonly forTests: boolean },
): Promise<Clone> {
  const folder = join(await scratchFolder('clone'), 'scaffold');
  const logs = await scratchFolder('npm-logs');
  await must('git', ['clone', '--quiet', root, folder], { cwd: root });
  await execa('npm', ['ci', ...(forTests ? [] : ['--omit=dev'])], {
    cwd: folder,
    env: { ...env, npm_config_logs_dir: logs },
    extendEnv: false,
  });
  return { program: join(folder, 'bin/scaffold.js'), warnings: await readWarnings(logs) };
}

/** What a person with these tools runs in a project. */
export async function runsIn(project: string, { env }: Stranger, command: string): Promise<void> {
  await execa('sh', ['-c', command], { cwd: project, env, extendEnv: false });
}

export interface FirstAnswer {
  /** Until the server that was made answered. */
  readonly seconds: number;
  readonly url: string;
  readonly project: string;
  /** What npm warned of while it installed. */
  readonly warnings: readonly string[];
  stop(): Promise<void>;
}

/** `scaffold new --start` in the folder, to the first answer. */
export async function startNew(
  program: string,
  { node, env }: Stranger,
  folder: string,
): Promise<FirstAnswer> {
  const logs = await scratchFolder('npm-logs');
  await mkdir(folder, { recursive: true });
  const begin = performance.now();
  const child = execa(
    node,
    [program, 'new', 'my-api', '--example', 'blog', '--no-git', '--start', '--json'],
    {
      cwd: folder,
      env: { ...env, PORT: String(await freePort()), npm_config_logs_dir: logs },
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    },
  );
  const answer = JSON.parse(await printed(child, 'stdout', '\n'));
  const seconds = (performance.now() - begin) / 1000;
  if (answer.ok !== true) throw new Error(JSON.stringify(answer.diagnostics));
  return {
    seconds,
    url: answer.url,
    project: join(folder, 'my-api'),
    warnings: await readWarnings(logs),
    async stop() {
      child.kill('SIGINT');
      await child;
    },
  };
}

/** The lines of npm's own logs that it shows to people, but for what this machine's npm is configured with. */
async function readWarnings(logs: string): Promise<readonly string[]> {
  const texts = await Promise.all(
    (await readdir(logs)).map((name) => readFile(join(logs, name), 'utf8')),
  );
  return texts
    .flatMap((text) => text.split('\n'))
    .filter((line) => /^\d+ (warn|error) /.test(line))
    .filter((line) => !line.includes('config "nodedir"'));
}
