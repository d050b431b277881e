import { relative } from 'node:path';
import type { App } from '../model/app.ts';
import { hasAccounts, hasPasswords } from '../model/app-features.ts';
import type { PackageManager } from '../model/package-managers.ts';
import { exampleCall } from '../render/views/example-call.ts';
import { scriptCommand } from '../system/package-manager.ts';
import type { Step } from '../terminal/report.ts';
import { quoteForShell } from '../words.ts';

interface Situation {
  readonly here: string;
  readonly folder: string;
  readonly manager: PackageManager;
}

/** Commands that can be pasted one after the other. */
export function nextSteps(
  situation: Situation,
  { isInstalled }: { readonly isInstalled: boolean },
): Step[] {
  const { manager } = situation;
  const dev = scriptCommand(manager, 'dev');
  return [
    ...enter(situation),
    ...(isInstalled ? [] : [{ command: `${manager} install`, note: '' }]),
    { command: dev, note: 'http://localhost:3000, with its docs at /docs' },
    ...besideServer(manager),
  ];
}

/** The same, while the server is running. */
export const stepsBesideServer = (situation: Situation): Step[] => [
  ...enter(situation),
  ...besideServer(situation.manager),
];

function enter({ here, folder }: Situation): Step[] {
  const path = relative(here, folder);
  return path === '' ? [] : [{ command: `cd ${quoteForShell(path)}`, note: '' }];
}

function besideServer(manager: PackageManager): Step[] {
  const seed = scriptCommand(manager, 'db:seed', '--count 500');
  return [
    { command: scriptCommand(manager, 'test'), note: 'its own tests' },
    { command: seed, note: 'believable rows in every table' },
  ];
}

/** A call as commands to paste, which need only curl and Node.js. */
export function exampleCommands(url: string, app: App, situation: Situation): string[] {
  const { list, email, password, registration, options } = exampleCall(app);
  const call = `curl -sw '\\n' ${url}${list}`;
  if (!hasAccounts(app)) return [call];
  const { manager } = situation;
  const token = `node -p 'JSON.parse(fs.readFileSync(0)).access_token'`;
  const signIn = hasPasswords(app)
    ? [
        `curl -sw '\\n' ${url}/auth/register -H 'content-type: application/json' -d ${quoteForShell(JSON.stringify(registration))}`,
        `TOKEN=$(curl -s ${url}/auth/token -d username=${email} -d password=${password} | ${token})`,
      ]
    : [
        ...enter(situation).map(({ command }) => command),
        scriptCommand(manager, 'user:create', options),
        `TOKEN=$(${scriptCommand(manager, 'user:token', `--email ${email}`)} | tail -n 1)`,
      ];
  return [...signIn, `${call} -H "Authorization: Bearer $TOKEN"`];
}
