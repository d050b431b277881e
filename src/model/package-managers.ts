import type { PackageManager } from './app-shape.ts';

interface PackageManagerFacts {
  /** The one that it writes first, then those of its earlier versions. */
  readonly locks: readonly [string, ...string[]];
  readonly install: readonly [string, ...string[]];
  /** Installs what the lock file says, and fails where it does not fit. */
  readonly frozen: string;
  /** Takes away what only development needs. */
  readonly prune: string;
  readonly test: string;
  readonly start: string;
  /** What stands before the arguments of a script. */
  readonly separator: string;
  /** Whether an image of Node or a machine of CI lacks it. */
  readonly isExtra: boolean;
}

export const packageManagerFacts: Readonly<Record<PackageManager, PackageManagerFacts>> = {
  npm: {
    locks: ['package-lock.json'],
    install: ['install', '--no-audit', '--no-fund', '--loglevel=error'],
    frozen: 'npm ci',
    prune: 'npm prune --omit=dev',
    test: 'npm test',
    start: 'npm start',
    separator: '-- ',
    isExtra: false,
  },
  pnpm: {
    locks: ['pnpm-lock.yaml'],
    install: ['install'],
    frozen: 'pnpm install --frozen-lockfile',
    prune: 'CI=true pnpm prune --prod',
    test: 'pnpm test',
    start: 'pnpm start',
    separator: '',
    isExtra: true,
  },
  yarn: {
    locks: ['yarn.lock'],
    install: ['install'],
    frozen: 'yarn install --frozen-lockfile',
    prune: 'yarn install --production',
    test: 'yarn test',
    start: 'yarn start',
    separator: '',
    isExtra: false,
  },
  bun: {
    locks: ['bun.lock', 'bun.lockb'],
    install: ['install'],
    frozen: 'bun install --frozen-lockfile',
    prune: 'rm -rf node_modules && bun install --production',
    test: 'bun run test',
    start: 'bun run start',
    separator: '',
    isExtra: true,
  },
};
