import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of so many megabytes, of this user, gone with `remove`; `undefined` where this process may not mount one. */
export function mountTinyDisk(megabytes: number, uid = 0) {
  const folder = mkdtempSync(join(tmpdir(), 'scaffold-disk-'));
  const options = `size=${megabytes}m,mode=0700,uid=${uid}`;
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
  if (mounted.status !== 0) {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  return {
    folder,
    remove() {
      spawnSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true });
    },
  };
}
