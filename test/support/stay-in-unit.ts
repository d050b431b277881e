import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Server } from 'node:net';

/** Before each file of the tier `unit`: what it tests is pure, so all that it needs is in memory. */
function forbid(home: object, names: readonly string[], does: string): void {
  for (const name of names) {
    Object.defineProperty(home, name, {
      configurable: true,
      writable: true,
      value() {
        throw new Error(`A test that ${does} is not of a unit: call its file *.project.test.ts.`);
      },
    });
  }
}

const processes = ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'];
forbid(childProcess, processes, 'starts a process');
forbid(Server.prototype, ['listen'], 'listens on a port');
forbid(fs, ['mkdirSync', 'mkdtempSync', 'writeFileSync'], 'writes files');
forbid(fs.promises, ['mkdir', 'mkdtemp', 'writeFile'], 'writes files');
syncBuiltinESMExports();
