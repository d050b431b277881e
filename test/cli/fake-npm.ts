import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** What the package manager of a test does when it is called. Runs in the project's folder; `fs` and `path` are there. */
export interface FakeNpm {
  readonly install?: string;
  readonly dev?: string;
  /** `db:status` */
  readonly status?: string;
}

const installs = `
  fs.mkdirSync('node_modules');
  fs.writeFileSync('package-lock.json', '{}');
`;

/** A server that is ready at once and says where it listens. */
const serves = `
  const port = process.env.PORT ?? 3000;
  require('node:http')
    .createServer((request, response) => response.end('{}'))
    .listen(port, '127.0.0.1', () => console.log('the server listens on ' + port));
`;

/** A folder with an \`npm\` of our own, and the PATH on which it comes first. A real install takes a minute. */
export async function fakeNpm(
  folder: string,
  { install = installs, dev = serves, status = '' }: FakeNpm = {},
) {
  const bin = join(folder, 'bin');
  await mkdir(bin, { recursive: true });
  const script = `#!/usr/bin/env node
const fs = require('node:fs');
const path = require('node:path');
if (process.argv[2] === 'install') {${install}}
else if (process.argv[2] === 'run' && process.argv[3] === 'dev') {${dev}}
else if (process.argv.slice(2).join(' ') === 'run --silent db:status -- --json') {${status}}
else process.exit(64);
`;
  await writeFile(join(bin, 'npm'), script);
  await chmod(join(bin, 'npm'), 0o755);
  return { PATH: `${bin}${delimiter}${process.env['PATH']}` };
}
