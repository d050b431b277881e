import type { App } from '../../model/app.ts';
import { packageManagerCommands } from '../../model/package-managers.ts';
import { code } from '../typescript.ts';

/** How people, the image and CI call the package manager that the project was made with. */
export function packageManagerWords({ packageManager: pm = 'npm' }: App) {
  const { locks, frozen, prune, test, start, separator, isExtra } = packageManagerCommands[pm];
  const [lock] = locks;
  const installLocked = `if [ -f ${lock} ]; then ${frozen}; else ${pm} install; fi`;
  return { pm, run: `${pm} run`, lock, installLocked, prune, test, start, separator, isExtra };
}

/** The same as templates print it. */
export function packageManagerView(app: App) {
  const { isExtra, ...words } = packageManagerWords(app);
  const printed = Object.entries(words).map(([name, text]) => [name, code(text)]);
  return { isExtra, ...Object.fromEntries(printed) };
}
