import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InternalError } from '../../errors.ts';
import type { RenderedFile } from '../../render/rendered-file.ts';

export const environmentChange = { path: '.env', action: 'create' } as const;

/** `.env`: the example with a secret of its own. It is for this machine alone: unread by others, ignored by git. */
export async function writeEnvironment(
  folder: string,
  rendered: readonly RenderedFile[],
): Promise<void> {
  const example = rendered.find(({ path }) => path === '.env.example')?.content ?? '';
  const secret = `AUTH_SECRET_KEY=${randomBytes(48).toString('hex')}`;
  const content = example.replace(/^AUTH_SECRET_KEY=.*$/m, secret);
  if (!content.includes(secret)) throw new InternalError('.env.example has no line for the secret');
  // A secret that is there already may have signed tokens.
  await writeFile(join(folder, '.env'), content, { mode: 0o600, flag: 'wx' }).catch(unlessThere);
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
