import { expect, test } from 'vitest';
import { root } from '../support/root.ts';
import { must } from '../support/run.ts';
import { hostile } from './hostile.ts';
import { quoteForShell } from '../../src/words.ts';

/** No shell can be given these. */
const words = hostile.filter((text) => !/[\0\p{Cs}]/u.test(text));

test.each(words)('%j is one word of a shell', async (text) => {
  const { stdout } = await must('sh', ['-c', `printf '%s|' ${quoteForShell(text)}`], { cwd: root });
  expect(stdout).toBe(`${text}|`);
});
