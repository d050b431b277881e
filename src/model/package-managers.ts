export const packageManagers = ['npm', 'pnpm', 'yarn', 'bun'] as const;

export type PackageManager = (typeof packageManagers)[number];

export const packageManagerCommands = {
  npm: {
    /** Lock files. It writes the first one. */
    locks: ['package-lock.json'],
    /** Installs exactly what the lock file lists, or fails. */
    frozen: 'npm ci',
    /** Removes packages that only development needs. */
    prune: 'npm prune --omit=dev',
    test: 'npm test',
    start: 'npm start',
    /** What separates the name of a script from its arguments. */
    separator: '-- ',
    /** Whether images of Node.js and machines of CI lack it. */
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
