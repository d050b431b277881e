import { relative } from 'node:path';
import type { App } from '../model/app.ts';
import { hasAccounts, hasPasswords } from '../model/app-features.ts';
import type { PackageManager } from '../model/package-managers.ts';
import type { RenderedFile } from '../render/rendered-file.ts';
import { makeExampleCall } from '../render/views/example-call.ts';
import { scriptCommand } from '../system/package-manager.ts';
import type { Report, Session, Step } from '../terminal/report.ts';
import { quoteForShell } from '../words.ts';

export interface NewProject extends Required<
  Pick<Report, 'changes' | 'diagnostics' | 'migration'>
> {
  readonly app: App;
  /** Absolute. */
  readonly folder: string;
  readonly manager: PackageManager;
  readonly rendered: readonly RenderedFile[];
}

type Here = Pick<Session, 'folder'>;
type Entered = Pick<NewProject, 'folder' | 'manager'>;

/** Commands that can be pasted one after the other. */
export function listNextSteps(
  session: Here,
  project: Entered,
  { isInstalled }: { readonly isInstalled: boolean },
): Step[] {
  const { manager } = project;
  const dev = scriptCommand(manager, 'dev');
  return [
    ...enter(session, project),
    ...(isInstalled ? [] : [{ command: `${manager} install`, note: '' }]),
    { command: dev, note: 'http://localhost:3000, with its docs at /docs' },
    ...besideServer(project),
  ];
}

/** The same, while the server is running. */
export const listStepsBesideServer = (session: Here, project: Entered): Step[] => [
  ...enter(session, project),
  ...besideServer(project),
];

function enter({ folder: here }: Here, { folder }: Entered): Step[] {
  const path = relative(here, folder);
  return path === '' ? [] : [{ command: `cd ${quoteForShell(path)}`, note: '' }];
}

function besideServer({ manager }: Entered): Step[] {
  const seed = scriptCommand(manager, 'db:seed', '--count 500');
  return [
    { command: scriptCommand(manager, 'test'), note: 'its own tests' },
    { command: seed, note: 'believable rows in every table' },
  ];
}

/** A call as commands to paste, which need only curl and Node.js. */
export function listExampleCommands(session: Session, project: NewProject, url: string): string[] {
  const { app, manager } = project;
  const { list, email, password, registration, options } = makeExampleCall(app);
  const call = `curl -sw '\\n' ${url}${list}`;
  if (!hasAccounts(app)) return [call];
  const token = `node -p 'JSON.parse(fs.readFileSync(0)).access_token'`;
  const signIn = hasPasswords(app)
    ? [
        `curl -sw '\\n' ${url}/auth/register -H 'content-type: application/json' -d ${quoteForShell(JSON.stringify(registration))}`,
        `TOKEN=$(curl -s ${url}/auth/token -d username=${email} -d password=${password} | ${token})`,
      ]
    : [
        ...enter(session, project).map(({ command }) => command),
        scriptCommand(manager, 'user:create', options),
        `TOKEN=$(${scriptCommand(manager, 'user:token', `--email ${email}`)} | tail -n 1)`,
      ];
  return [...signIn, `${call} -H "Authorization: Bearer $TOKEN"`];
}
