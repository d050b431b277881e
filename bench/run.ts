import { cpus } from 'node:os';
import { access } from './access.ts';
import { emit } from './emit.ts';
import { first } from './first.ts';
import { house } from './house.ts';
import { list } from './list.ts';
import { peers } from './peers.ts';
import { regenerate } from './regenerate.ts';
import { shape } from './shape.ts';
import { size } from './size.ts';
import { soak } from './soak.ts';
import { start } from './start.ts';
import { tests } from './tests.ts';

const benches: Readonly<Record<string, () => void | Promise<void>>> = {
  house,
  shape,
  first,
  list,
  peers,
  size,
  soak,
  start,
  emit,
  regenerate,
  access,
  tests,
};

// npm run bench [name…]
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(benches);
process.stdout.write(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}\n\n`,
);
for (const name of names) {
  const bench = benches[name];
  if (bench === undefined)
    throw new Error(`No bench ${name}: there are ${Object.keys(benches).join(', ')}.`);
  await bench();
}
