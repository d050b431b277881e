import type { Session } from '../../src/terminal/report.ts';
import { createStyle } from '../../src/terminal/style.ts';
import type { Terminal } from '../../src/terminal/terminal.ts';

export interface RecordingSession {
  readonly session: Session;
  /** What was written so far. */
  readonly printed: () => { readonly stdout: string; readonly stderr: string };
}

/** A run of a command in this process, with nobody to ask and without colours. */
export function recordingSession(
  folder: string,
  options: Partial<Pick<Terminal, 'json' | 'quiet' | 'yes'>> = {},
): RecordingSession {
  const written = { stdout: '', stderr: '' };
  const channel = (stream: keyof typeof written) => ({
    style: createStyle({ colors: false }),
    colors: false,
    isTerminal: false,
    write: (text: string) => void (written[stream] += text),
  });
  const terminal: Terminal = {
    out: channel('stdout'),
    err: channel('stderr'),
    interactive: false,
    yes: false,
    json: false,
    quiet: options.json === true,
    animated: false,
    interruption: new AbortController().signal,
    ...options,
  };
  const session = { command: 'regenerate', terminal, folder, version: '0.0.0', started: 0 };
  return { session, printed: () => ({ ...written }) };
}
