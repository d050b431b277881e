import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { caseNames, readCase } from './read-case.ts';
import { runCase } from './run-case.ts';

/** Pins what comes out now, of all cases or of those named. Read the difference before you commit it. */
export async function writeRegenerateCases(names: readonly string[] = caseNames): Promise<void> {
  for (const name of names) {
    const it = readCase(name);
    const { report, files, notes } = await runCase(it);
    rmSync(join(it.folder, 'expected'), { recursive: true, force: true });
    rmSync(join(it.folder, 'notes.txt'), { force: true });
    for (const [path, text] of files) {
      const file = join(it.folder, 'expected', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    if (notes.length > 0) writeFileSync(join(it.folder, 'notes.txt'), `${notes.join('\n')}\n`);
    writeFileSync(join(it.folder, 'report.txt'), report);
  }
}
