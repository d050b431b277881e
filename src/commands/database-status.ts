import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findPackage } from '../system/own-tools.ts';
import { findPackageManager, readScript } from '../system/package-manager.ts';
import type { Running } from '../system/run.ts';

/** What `db:status --json` of a project prints. */
export interface DatabaseStatus {
  readonly pending: readonly string[];
  readonly unknown: readonly string[];
  readonly altered: readonly string[];
  readonly drift: readonly Difference[];
  readonly underWay?: UnderWay;
  /** What the next migration would do to the rows that are there. */
  readonly concerned: readonly Concerned[];
}

interface Difference {
  readonly kind: string;
  readonly object: string;
  readonly expected?: string;
  readonly found?: string;
}

/** Of a migration, some steps are done and others are not. */
interface UnderWay {
  readonly id: string;
  /** The script that goes on with it. */
  readonly command: string;
}

interface Concerned {
  /** `SCF412:Post.title` */
  readonly hazard: string;
  readonly rows: number;
}

/** The answer, or why there is none. */
export type Asked = { readonly status: DatabaseStatus } | { readonly reason: string };

/** Asks the project's own `db:status`: which database it is, and how one speaks to it, the project knows. */
export async function askStatus(at: Running, options: readonly string[] = []): Promise<Asked> {
  const { folder } = at;
  if (findPackage(folder, runner) === undefined) {
    return { reason: 'the dependencies are not installed.' };
  }
  const manifest = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '');
  if (!manifest.includes('"db:status"')) {
    return { reason: 'the project has no script `db:status`.' };
  }
  const manager = findPackageManager(folder, process.env);
  const asked = ['db:status', '--json', ...options] as const;
  const { answer, output } = await readScript(manager, asked, at);
  const status = readStatus(answer);
  return status ? { status } : { reason: lastLine(output) || 'it gave no answer.' };
}

/** What the scripts of a project run with. */
const runner = '@oxc-node/core';

const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? '';

/** Undefined when the text is something else: the script is the project's, and its owner may have changed it. */
function readStatus(text: string): DatabaseStatus | undefined {
  const answer = parse(text);
  if (!isObject(answer)) return undefined;
  const { pending, unknown, altered, underWay, drift = [], concerned = [] } = answer;
  const lists = [pending, unknown, altered];
  if (!lists.every(isTexts) || !Array.isArray(drift) || !Array.isArray(concerned)) return undefined;
  return {
    pending: texts(pending),
    unknown: texts(unknown),
    altered: texts(altered),
    drift: drift.filter(isDifference),
    concerned: concerned.filter(isConcerned),
    ...(isUnderWay(underWay) && { underWay }),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

const texts = (value: unknown) => (isTexts(value) ? value : []);

function isDifference(value: unknown): value is Difference {
  return (
    isObject(value) && typeof value['kind'] === 'string' && typeof value['object'] === 'string'
  );
}

function isUnderWay(value: unknown): value is UnderWay {
  return isObject(value) && typeof value['id'] === 'string' && typeof value['command'] === 'string';
}

function isConcerned(value: unknown): value is Concerned {
  return (
    isObject(value) && typeof value['hazard'] === 'string' && typeof value['rows'] === 'number'
  );
}
