import { readdir, readFile } from 'node:fs/promises';
import { requestsPerSecond } from './load.ts';
import { scratchFolder } from '../test/support/scratch.ts';
import { stopping } from './stopping.ts';
import { startSubject } from './subject.ts';

// node --import @oxc-node/core/register bench/profile.ts [path]
// Where the emitted server spends its time: self time by function, from V8's sampling profiler.
const [path = '/api/articles/'] = process.argv.slice(2);
const folder = await scratchFolder('profile');
const program = [process.execPath, '--cpu-prof', `--cpu-prof-dir=${folder}`] as const;
await stopping(async (atEnd) => {
  const { server } = await startSubject(atEnd, { rows: 100_000, program });
  await requestsPerSecond({ url: server.url, path: () => path, connections: 32, seconds: 8 });
});

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
  }[];
  readonly samples: readonly number[];
}

const files = await readdir(folder);
const profiles: Profile[] = await Promise.all(
  files.map(async (file): Promise<Profile> =>
    JSON.parse(await readFile(`${folder}/${file}`, 'utf8')),
  ),
);
const busiest = profiles.toSorted((left, right) => right.samples.length - left.samples.length)[0];
const counts = new Map<string, number>();
const names = new Map(busiest?.nodes.map(({ id, callFrame }) => [id, callFrame]));
for (const id of busiest?.samples ?? []) {
  const frame = names.get(id);
  const place = `${frame?.functionName || '(anonymous)'} ${frame?.url.split(/node_modules|dist/).at(-1)}:${frame?.lineNumber}`;
  if (!/^\((idle|program)\)/.test(place)) counts.set(place, (counts.get(place) ?? 0) + 1);
}
const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
for (const [place, count] of [...counts]
  .toSorted(([, left], [, right]) => right - left)
  .slice(0, 45)) {
  process.stdout.write(`${((count / all) * 100).toFixed(1).padStart(5)} %  ${place}\n`);
}
