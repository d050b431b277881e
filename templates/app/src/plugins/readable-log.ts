import { styleText } from 'node:util';

interface Line {
  readonly time: number;
  readonly level: string;
  readonly msg?: string;
  readonly event?: string;
  readonly err?: { readonly message: string; readonly stack?: string };
  readonly method?: string;
  readonly route?: string | null;
  readonly url?: string;
  readonly status?: number;
  readonly ms?: number;
  readonly reason?: string;
}

const shown = 'time level msg event err method route url status ms reason'.split(' ');
const forMachines = 'id ip code trace_id span_id'.split(' ');
const hidden = new Set([...shown, ...forMachines]);

/** A line of the log, which is JSON, for somebody to read. */
export function readableLine(json: string): string {
  const line: Line = JSON.parse(json);
  const clock = new Date(line.time).toTimeString().slice(0, 8);
  const parts = [requestOf(line), line.msg ?? line.event, detailsOf(line), errorOf(line)];
  const text = parts.filter((part) => part).join(' ');
  // What came with a request may not move the cursor.
  const harmless = text.replaceAll(/[^\P{Cc}\n]/gu, ' ');
  return `${clock} ${styleText(colourOf(line), line.level.toUpperCase())} ${harmless}\n`;
}

function colourOf({ level }: Line) {
  if (level === 'warn') return 'yellow';
  return level === 'error' || level === 'fatal' ? 'red' : 'green';
}

function requestOf({ method, route, url, status, ms, reason }: Line): string {
  if (method === undefined) return '';
  const answer = `${method} ${url ?? route ?? ''} ${status} in ${ms} ms`;
  return reason === undefined ? answer : `${answer}: ${reason}`;
}

function detailsOf(line: Line): string {
  return Object.entries(line)
    .filter(([name]) => !hidden.has(name))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(' ');
}

function errorOf({ err }: Line): string {
  return err === undefined ? '' : `\n${err.stack ?? err.message}`;
}
