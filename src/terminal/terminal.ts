import { createStyle, wantsColors, type Style } from './style.ts';

/** Where a run writes: results to `out`, everything else (progress, warnings, questions, next steps) to `err`. */
export interface Terminal {
  readonly out: Channel;
  readonly err: Channel;
  /** Whether somebody can be asked. */
  readonly interactive: boolean;
  /** Whether questions take their default answer. */
  readonly yes: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
  /** Whether a line can be redrawn. */
  readonly animated: boolean;
  /** Fires on Ctrl-C. */
  readonly interruption: AbortSignal;
}

interface Channel {
  readonly style: Style;
  readonly colors: boolean;
  readonly isTerminal: boolean;
  write(text: string): void;
}

export interface TerminalOptions {
  readonly color: boolean;
  readonly input: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function openTerminal(options: TerminalOptions): Terminal {
  const { yes = false, json = false, quiet = false } = options;
  const { stdin, stdout, stderr, env } = process;
  const animated = stderr.isTTY && env['TERM'] !== 'dumb' && !env['CI'];
  return {
    out: openChannel(stdout, options),
    err: openChannel(stderr, options),
    interactive: animated && stdin.isTTY && stdout.isTTY && options.input && !yes && !json,
    yes,
    json,
    quiet: quiet || json,
    animated,
    interruption: listenForInterruption(),
  };
}

function openChannel(stream: NodeJS.WriteStream, options: TerminalOptions): Channel {
  const colors = wantsColors({ flag: options.color, env: process.env, isTerminal: stream.isTTY });
  return {
    style: createStyle({ colors }),
    colors,
    isTerminal: stream.isTTY === true,
    write: (text) => void stream.write(text),
  };
}

/** Ctrl-C and similar signals abort long steps, whose work is undone before the program exits. */
function listenForInterruption(): AbortSignal {
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => interruption.abort());
  }
  return interruption.signal;
}
