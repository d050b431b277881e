import type { App } from '../../model/app.ts';
import { packageManagerCommands } from '../../model/package-managers.ts';
import { code } from '../typescript.ts';

/** How documents, the image and CI call the project's package manager. */
export function packageManagerWords({ packageManager: pm = 'npm' }: App) {
  const { locks, frozen, prune, test, start, separator, isExtra } = packageManagerCommands[pm];
  const [lock] = locks;
  const installLocked = `if [ -f ${lock} ]; then ${frozen}; else ${pm} install; fi`;
  return { pm, run: `${pm} run`, lock, installLocked, prune, test, start, separator, isExtra };
}

/** The same, as code. */
export function packageManagerView(app: App) {
  const { isExtra, ...words } = packageManagerWords(app);
  const printed = Object.entries(words).map(([name, text]) => [name, code(text)]);
  return { isExtra, ...Object.fromEntries(printed) };
}
