import type { RegenerateRequest } from './request.ts';
import { quoteForShell } from '../../words.ts';

/** The command as it was typed, with more options, to be pasted. */
export function printCommand(request: RegenerateRequest, more: readonly string[] = []): string {
  const { dir, ...options } = request;
  const typed = Object.entries(options).filter(([key]) => !modeOptions.has(key));
  const words = [
    ...(dir === '.' ? [] : [dir]),
    ...typed.flatMap(([key, value]) => printOption(key, value)),
    ...more,
  ];
  return ['npx scaffold regenerate', ...words.map(quoteForShell)].join(' ');
}

/** Options that do not belong in a command that answers questions. */
const modeOptions: ReadonlySet<string> = new Set<keyof RegenerateRequest>([
  'check',
  'undo',
  'watch',
]);

function printOption(key: string, value: boolean | string | readonly string[]): readonly string[] {
  const flag = `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (typeof value === 'boolean') return value ? [flag] : [];
  return [value].flat().flatMap((it) => [flag, it]);
}
