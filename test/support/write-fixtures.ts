import { rm } from 'node:fs/promises';
import { writeFiles } from './emit.ts';
import { goldenApps } from './golden-apps.ts';

// npm run fixtures: emits the golden apps anew. Read what git shows then; it is what users will get.
for (const { name, engine, folder, render } of goldenApps) {
  const files = render();
  await rm(folder, { recursive: true, force: true });
  await writeFiles(folder, files);
  process.stdout.write(`${name} on ${engine}: ${files.length} files\n`);
}
