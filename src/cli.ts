import { runCommandLine } from './commands/run-command-line.ts';
import { exitCode } from './errors.ts';

// A reader that left (`| head`), or a terminal that was closed, must not stop the work.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
  });
}

// Until the work is done, since an event loop that runs dry must not look like success.
process.exitCode = exitCode.bug;
process.exitCode = await runCommandLine(process.argv.slice(2), {
  folder: process.cwd(),
  answer: (text) => void process.stdout.write(text),
  // Loaded when needed, so that help and the version appear at once.
  openTerminal: async (options) => (await import('./terminal/terminal.ts')).openTerminal(options),
});
