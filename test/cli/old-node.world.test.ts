import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../support/run.ts';
import { scratchFolder } from '../support/scratch.ts';
import { program } from './scaffold.ts';

/** The program believes that it runs on the given Node. */
async function onNode(version: string) {
  const cwd = await scratchFolder('cli-node');
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
  await writeFile(join(cwd, 'pretend.cjs'), pretend);
  return run(process.execPath, ['--require', './pretend.cjs', program, '--version'], { cwd });
}

test.each(['12.22.12', '18.20.8', '20.18.3', '21.7.0', '22.12.0', '23.11.0'])(
  'Node %s is told that it is too old, with status 6',
  async (version) => {
    const { code, stdout, stderr } = await onNode(version);
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(stderr).toContain(`this is Node ${version}`);
    expect(stderr).toMatch(/\nNothing was written\.$/);
  },
);

test.each(['20.19.0', '22.13.0', '24.0.0', '26.1.0'])('Node %s is served', async (version) => {
  expect(await onNode(version)).toMatchObject({ code: 0, stderr: '' });
});
