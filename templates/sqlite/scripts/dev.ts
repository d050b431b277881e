import { runProgram } from './run-program.ts';

// The server, started again whenever one of its files changes. `--watch` alone would lose a file that is replaced.
process.exit(await runProgram(['--watch-path=src', 'src/server.ts']));
