import { parseJson } from '../json.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import {
  choosePackageManager,
  readManifest,
  readScript,
  findPackage,
} from '../system/package-manager.ts';
import type { ProcessOptions } from '../system/run.ts';

/** The output of a project's `db:status --json`. */
export type DatabaseStatus = z.infer<typeof statusShape>;

const statusShape = z.object({
  pending: z.array(z.string()),
  unknown: z.array(z.string()),
  altered: z.array(z.string()),
  drift: z
    .array(
      z.object({
        kind: z.enum(['missing', 'different', 'extra']),
        object: z.string(),
        expected: z.string().optional(),
        found: z.string().optional(),
      }),
    )
    .default([]),
  /** A migration that was interrupted between its steps. `command` finishes it. */
  underWay: z.object({ id: z.string(), command: z.string() }).optional(),
  /** How many rows the next migration affects, by hazard: `SCF412:Post.title`. */
  concerned: z.array(z.object({ hazard: z.string(), rows: z.number() })).default([]),
});

const statusTimeout = 60_000;

/** Runs the project's own `db:status`. Returns its output, or why there is none. */
export async function askStatus(
  { folder, interruption }: ProcessOptions,
  options: readonly string[] = [],
): Promise<{ readonly status: DatabaseStatus } | { readonly reason: string }> {
  if (findPackage(folder, loaderPackage) === undefined) {
    return { reason: 'the dependencies are not installed.' };
  }
  const manifest = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '');
  if (!readManifest(manifest).hasScript('db:status')) {
    return { reason: 'the project has no script `db:status`.' };
  }
  const manager = choosePackageManager(folder);
  const until = AbortSignal.any([interruption, AbortSignal.timeout(statusTimeout)]);
  const script = ['db:status', '--json', ...options] as const;
  const { answer, output } = await readScript(manager, script, { folder, interruption: until });
  const { data: status } = statusShape.safeParse(parseJson(answer));
  return status ? { status } : { reason: lastLine(output) || 'it gave no answer.' };
}

/** The package with which scripts of a project run TypeScript. */
const loaderPackage = '@oxc-node/core';

const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? '';
