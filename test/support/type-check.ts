import { run } from './run.ts';

/** Of a program: four, which are the compiler's wont, do much of the work four times. */
export const oneChecker = ['--checkers', '1'] as const;

/**
 * The compiler's errors in several emitted projects, which lie below one folder that has their `node_modules`.
 * One build of many programs: each project augments Fastify's types with its own user, so one program cannot hold two.
 */
export async function typeErrors(folder: string, projects: readonly string[]): Promise<string[]> {
  const args = ['--build', '--builders', '2', ...oneChecker, '--pretty', 'false', ...projects];
  const { code, stdout } = await run('node_modules/.bin/tsc', args, { cwd: folder });
  const errors = stdout.split('\n').filter((line) => /error TS\d+/.test(line));
  if (code !== 0 && errors.length === 0) throw new Error(`tsc exited ${code}:\n${stdout}`);
  return errors;
}
