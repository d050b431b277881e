import { relative } from 'node:path';
import { scriptCommand, type PackageManager } from '../../system/package-manager.ts';
import { shell } from '../../render/helpers.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export interface Situation {
  readonly here: string;
  readonly folder: string;
  readonly manager: PackageManager;
  readonly installed: boolean;
}

export interface Step {
  readonly command: string;
  readonly note: string;
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
    ...stepsInside(manager),
  ];
}

/** What can be done while the server runs. */
export function stepsBeside(situation: Situation): Step[] {
  return [...enter(situation), ...stepsInside(situation.manager)];
}

function enter({ here, folder }: Situation): Step[] {
  const path = relative(here, folder);
  return path === '' ? [] : [{ command: `cd ${shell(path)}`, note: '' }];
}

function stepsInside(manager: PackageManager): Step[] {
  return [
    { command: scriptCommand(manager, 'test'), note: 'its own tests' },
    {
      command: `${scriptCommand(manager, 'db:seed')} -- --count 500`,
      note: 'believable rows in every table',
    },
  ];
}

const widest = 60;

export function printSteps(terminal: Terminal, title: string, steps: readonly Step[]): void {
  if (terminal.quiet) return;
  const { style, write } = terminal.err;
  // One long command does not push the notes of the others away.
  const widths = steps.map(({ command }) => command.length).filter((it) => it <= widest);
  const width = Math.max(0, ...widths);
  const lines = steps.map(({ command, note }) =>
    `  ${command.padEnd(width)}  ${style.faint(note)}`.trimEnd(),
  );
  write(`\n${style.strong(title)}\n${lines.join('\n')}\n`);
}
