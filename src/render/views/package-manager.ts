import type { App } from '../../model/app.ts';
import type { PackageManager } from '../../model/app-shape.ts';
import { code } from '../typescript.ts';

/** How people, the image and CI call the package manager that the project was made with. */
export function packageManagerWords({ packageManager: pm = 'npm' }: App) {
  const { lock, frozen, ...words } = facts[pm];
  const install = `${pm} install`;
  const installLocked = `if [ -f ${lock} ]; then ${frozen}; else ${install}; fi`;
  return { pm, run: `${pm} run`, lock, installLocked, ...words };
}

/** The same as templates print it. */
export function packageManagerView(app: App) {
  const { isExtra, ...words } = packageManagerWords(app);
  const printed = Object.entries(words).map(([name, text]) => [name, code(text)]);
  return { isExtra, ...Object.fromEntries(printed) };
}

const facts = {
  npm: {
    lock: 'package-lock.json',
    /** Installs what the lock file says, and fails where it does not fit. */
    frozen: 'npm ci',
    /** Takes away what only development needs. */
    prune: 'npm prune --omit=dev',
    test: 'npm test',
    start: 'npm start',
    /** What stands before the arguments of a script. */
    separator: '-- ',
    /** Whether an image of Node or a machine of CI lacks it. */
    isExtra: false,
  },
  pnpm: {
    lock: 'pnpm-lock.yaml',
    frozen: 'pnpm install --frozen-lockfile',
    prune: 'CI=true pnpm prune --prod',
    test: 'pnpm test',
    start: 'pnpm start',
    separator: '',
    isExtra: true,
  },
  yarn: {
    lock: 'yarn.lock',
    frozen: 'yarn install --frozen-lockfile',
    prune: 'yarn install --production',
    test: 'yarn test',
    start: 'yarn start',
    separator: '',
    isExtra: false,
  },
  bun: {
    lock: 'bun.lock',
    frozen: 'bun install --frozen-lockfile',
    prune: 'rm -rf node_modules && bun install --production',
    test: 'bun run test',
    start: 'bun run start',
    separator: '',
    isExtra: true,
  },
} as const satisfies Readonly<Record<PackageManager, object>>;
