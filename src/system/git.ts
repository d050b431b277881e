import { run, type Ended, type Running } from './run.ts';

export type FirstCommit = 'made' | 'inside another repository' | 'git is not installed' | 'failed';

/** A repository with everything in one commit; git may be missing, and may not know who its user is. */
export async function commitAll(message: string, at: Running): Promise<FirstCommit> {
  const git = (...args: string[]): Promise<Ended> => run('git', args, at);
  if (!(await git('--version')).ok) return 'git is not installed';
  if ((await git('rev-parse', '--is-inside-work-tree')).ok) return 'inside another repository';

  const hasUser = (await git('config', 'user.email')).ok && (await git('config', 'user.name')).ok;
  const identity = hasUser
    ? []
    : ['-c', 'user.name=scaffold', '-c', 'user.email=scaffold@localhost'];
  const quiet = [...identity, '-c', 'commit.gpgsign=false', '-c', 'core.safecrlf=false'];
  const steps = [
    ['-c', 'init.defaultBranch=main', 'init', '--quiet'],
    ['add', '--all'],
    [...quiet, 'commit', '--quiet', '--no-verify', `--message=${message}`],
  ];
  for (const step of steps) {
    if (!(await git(...step)).ok) return 'failed';
  }
  return 'made';
}
