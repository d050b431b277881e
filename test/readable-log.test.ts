import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { readableLine } from '../templates/app/src/plugins/readable-log.ts';

const time = new Date(2026, 10, 22, 9, 5, 7).getTime();

function read(line: object): string {
  return stripVTControlCharacters(readableLine(JSON.stringify({ time, level: 'info', ...line })));
}

const request = { id: 'a-1', ip: '127.0.0.1', method: 'GET', route: '/api/posts', ms: 2.5 };

test.each([
  ['a text', { msg: 'Server listening' }, '09:05:07 INFO Server listening\n'],
  ['an event', { level: 'warn', event: 'throttled' }, '09:05:07 WARN throttled\n'],
  [
    'an event in words',
    { event: 'stopping', msg: 'Stopping', signal: 'SIGINT' },
    '09:05:07 INFO Stopping signal="SIGINT"\n',
  ],
  ['a request', { ...request, status: 200 }, '09:05:07 INFO GET /api/posts 200 in 2.5 ms\n'],
  [
    'a refused request: the address and why',
    { ...request, status: 422, url: '/api/posts', code: 'invalid', reason: 'No field titel.' },
    '09:05:07 INFO GET /api/posts 422 in 2.5 ms: No field titel.\n',
  ],
  [
    'a request that no route serves',
    { ...request, route: null, status: 404, url: '/no/such', reason: 'Not found.' },
    '09:05:07 INFO GET /no/such 404 in 2.5 ms: Not found.\n',
  ],
  [
    'a fault, with its stack',
    { level: 'error', err: { type: 'Error', message: 'Boom', stack: 'Error: Boom\n    at here' } },
    '09:05:07 ERROR \nError: Boom\n    at here\n',
  ],
  ['what an owner adds', { msg: 'Paid', order: { id: 4 } }, '09:05:07 INFO Paid order={"id":4}\n'],
])('a developer reads %s', (_name, line, text) => {
  expect(read(line)).toBe(text);
});

test('what comes with a request cannot move the cursor', () => {
  expect(read({ ...request, status: 404, url: '/\u009b2J\u001b[2J' })).toContain(
    'GET / 2J [2J 404',
  );
});
