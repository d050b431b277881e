import type { Terminal } from './terminal.ts';

/** `note`: what was done, in a few words. */
type Finished<T> = { readonly value: T; readonly ok: boolean; readonly note: string };

/** Runs a step and reports it in one line. A terminal shows a spinner and the time. */
export async function runStep<T>(
  terminal: Terminal,
  name: string,
  work: () => Promise<Finished<T>>,
): Promise<T> {
  if (terminal.quiet) return (await work()).value;
  const { style } = terminal.err;
  const started = performance.now();
  const stop = terminal.animated ? spin(terminal, name, started) : () => undefined;
  try {
    const { value, ok, note } = await work();
    stop();
    const mark = ok ? style.good('✓') : style.bad('✗');
    const line = `  ${mark} ${name.padEnd(14)} ${note.padEnd(32)} ${style.faint(elapsed(started))}`;
    terminal.err.write(`${line}\n`);
    return value;
  } catch (error) {
    stop();
    throw error;
  }
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const clearLine = '\r\u001b[2K';

function spin(terminal: Terminal, name: string, started: number): () => void {
  const { style, write } = terminal.err;
  let turn = 0;
  const draw = () => {
    const frame = frames[turn++ % frames.length] ?? '';
    write(
      `${clearLine}  ${style.accent(frame)} ${name.padEnd(14)} ${style.faint(elapsed(started))}`,
    );
  };
  draw();
  const timer = setInterval(draw, 100);
  return () => {
    clearInterval(timer);
    write(clearLine);
  };
}

function elapsed(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}
