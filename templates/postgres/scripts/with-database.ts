import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { isAnswering, isLocal, readDatabaseUrl } from './database-url.ts';
import { startPostgres } from './embedded-postgres.ts';
import { whenStopped } from './run-program.ts';

/**
 * `with-database.ts seeds/run.ts --count 500` runs a program beside a database: the one at DATABASE_URL, or,
 * when nothing answers there and it is on this machine, one that is started for as long as the program runs. After
 * `--existing`, for a program that only looks, no new one is made.
 */
const folder = 'var/postgres';
const isLooking = process.argv[2] === '--existing';
const databaseUrl = readDatabaseUrl();
const isMissing = isLocal(databaseUrl) && !(await isAnswering(databaseUrl));
const database = isMissing && (!isLooking || existsSync(folder)) ? await start() : undefined;
const code = await runProgram(process.argv.slice(isLooking ? 3 : 2));
await database?.stop();
process.exit(code);

/**
 * Runs `seeds/run.ts` with its arguments, and answers with its exit status. Whatever stops this process, or npm above it,
 * stops the program.
 */
async function runProgram(args: readonly string[]): Promise<number> {
  const program = spawn(process.execPath, ['scripts/typescript.js', ...args], { stdio: 'inherit' });
  const watch = whenStopped(() => program.kill());
  const [status] = await once(program, 'exit');
  clearInterval(watch);
  return Number(status ?? 1);
}

function start() {
  process.stderr.write(`Starting PostgreSQL, with its data in ${folder}.\n`);
  return startPostgres({ url: databaseUrl, folder });
}
