import { relative } from 'node:path';
import { type App, hasAccounts, hasPasswords } from '../model/app.ts';
import type { PackageManager } from '../model/package-managers.ts';
import { exampleCall, type ExampleCall } from '../render/views/example-call.ts';
import { scriptCommand } from '../system/package-manager.ts';
import type { Step } from '../terminal/report.ts';
import { shell } from '../words.ts';

export interface Situation {
  readonly here: string;
  readonly folder: string;
  readonly manager: PackageManager;
  readonly installed: boolean;
}

/** Commands that work as they stand, pasted one after the other. */
export function nextSteps(situation: Situation): Step[] {
  const { manager, installed } = situation;
  return [
    ...enter(situation),
    ...(installed ? [] : [{ command: `${manager} install`, note: '' }]),
    {
      command: scriptCommand(manager, 'dev'),
      note: 'http://localhost:3000, with its docs at /docs',
    },
    ...stepsBesideServer(manager),
  ];
}

export function enter({ here, folder }: Situation): Step[] {
  const path = relative(here, folder);
  return path === '' ? [] : [{ command: `cd ${shell(path)}`, note: '' }];
}

/** What can be done while the server runs. */
export function stepsBesideServer(manager: PackageManager): Step[] {
  return [
    { command: scriptCommand(manager, 'test'), note: 'its own tests' },
    {
      command: scriptCommand(manager, 'db:seed', '--count 500'),
      note: 'believable rows in every table',
    },
  ];
}

/** A call as commands to paste; they need nothing but curl and the Node that is there already. */
export function exampleCommands(url: string, app: App, situation: Situation): string[] {
  const call = exampleCall(app);
  const list = `curl -sw '\\n' ${url}${call.list}`;
  if (!hasAccounts(app)) return [list];
  const signIn = hasPasswords(app) ? signUp(url, call) : byHand(call, situation);
  return [...signIn, `${list} -H "Authorization: Bearer $TOKEN"`];
}

function signUp(url: string, { email, password, registration }: ExampleCall): string[] {
  const token = `node -p 'JSON.parse(fs.readFileSync(0)).access_token'`;
  return [
    `curl -sw '\\n' ${url}/auth/register -H 'content-type: application/json' -d ${shell(JSON.stringify(registration))}`,
    `TOKEN=$(curl -s ${url}/auth/token -d username=${email} -d password=${password} | ${token})`,
  ];
}

/** Where users sign in elsewhere, in the project's folder. */
function byHand({ email, options }: ExampleCall, situation: Situation): string[] {
  const { manager } = situation;
  const token = scriptCommand(manager, 'user:token', `--email ${email}`);
  return [
    ...enter(situation).map(({ command }) => command),
    scriptCommand(manager, 'user:create', options),
    `TOKEN=$(${token} | tail -n 1)`,
  ];
}
