import { runProgram } from './run-program.ts';

// The server, started again whenever one of its files changes.
process.exit(await runProgram(['--watch', 'src/server.ts']));
