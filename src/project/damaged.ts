import { exitCode, UserError } from '../errors.ts';
import { parseJson } from './parse-json.ts';

interface Found {
  readonly text: string;
  /** Where in it; empty: at the top. */
  readonly at: readonly PropertyKey[];
}

/** A file of `.scaffold/` that is not as it is written there. */
export function damaged(path: string, { text, at }: Found): UserError {
  const what = parseJson(text) === undefined ? ': it is not JSON' : ` at ${place(at)}`;
  return new UserError('SCF501', `\`${path}\` is damaged${what}.`, {
    exit: exitCode.environment,
    help: /^<{7} /m.test(text)
      ? 'Git has merged it line by line. Take all of one side, the older one if in doubt: `git checkout --ours -- .scaffold`.'
      : `Take the file back from version control: \`git checkout -- ${path}\`.`,
  });
}

const place = (at: readonly PropertyKey[]) => at.map(String).join('.') || 'the top';
