export const packageManagers = ['npm', 'pnpm', 'yarn', 'bun'] as const;

export type PackageManager = (typeof packageManagers)[number];

export const packageManagerFacts = {
  npm: {
    /** The first is the one that it writes. */
    locks: ['package-lock.json'],
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
    locks: ['pnpm-lock.yaml'],
    frozen: 'pnpm install --frozen-lockfile',
    prune: 'CI=true pnpm prune --prod',
    test: 'pnpm test',
    start: 'pnpm start',
    separator: '',
    isExtra: true,
  },
  yarn: {
    locks: ['yarn.lock'],
    frozen: 'yarn install --frozen-lockfile',
    prune: 'yarn install --production',
    test: 'yarn test',
    start: 'yarn start',
    separator: '',
    isExtra: false,
  },
  bun: {
    locks: ['bun.lock', 'bun.lockb'],
    frozen: 'bun install --frozen-lockfile',
    prune: 'rm -rf node_modules && bun install --production',
    test: 'bun run test',
    start: 'bun run start',
    separator: '',
    isExtra: true,
  },
} as const satisfies Readonly<Record<PackageManager, object>>;
