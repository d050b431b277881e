import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { mkdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BuiltApp, builtApp } from './support/built-app.ts';
import { cacheFolder } from './support/cache-folder.ts';
import { withLock } from './support/install.ts';
import { must } from './support/run.ts';
import { type Server, startServer } from './support/server.ts';

/** OpenTelemetry's own protocol, as its exporter of Protocol Buffers brings it: compiled from the `.proto` files. */
const protocol = '@opentelemetry/otlp-proto-exporter-base@0.51.1';

interface Message {
  fromObject(value: unknown): object;
  verify(message: object): string | null;
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
  toObject(message: object, options: object): unknown;
}

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
  readonly status: object;
}

interface Request {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

interface Received {
  readonly url: string | undefined;
  readonly key: string | string[] | undefined;
  readonly body: Request;
}

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentSpanId = 'b7ad6b7169203331';

let app: BuiltApp;
let message: Message;
let received: Received[] = [];

const collector = createServer((request, response) => {
  void json(request).then((body) => {
    received.push({ url: request.url, key: request.headers['x-key'], body: body as Request });
    response.setHeader('content-type', 'application/json').end('{}');
  });
});
let collectorUrl: string;

beforeAll(async () => {
  [app, message] = [await builtApp('blog', 'sqlite'), await officialMessage()];
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  collectorUrl = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});

afterAll(() => collector.close());

beforeEach(() => {
  received = [];
});

test('a span for each request reaches a collector, in its protocol', async () => {
  const server = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collectorUrl}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=one%20two',
  });
  await get(server, '/api/posts?limit=1');
  await get(server, '/api/posts/999999');
  await get(server, '/nowhere?token=secret');
  const traceparent = `00-${traceId}-${parentSpanId}-01`;
  await get(server, '/api/comments', { traceparent });
  await get(server, '/api/comments', { traceparent: `00-${traceId}-${parentSpanId}-00` });
  expect(await server.stop()).toBe(0);

  for (const { url, key, body } of received) {
    expect({ url, key }).toEqual({ url: '/v1/traces', key: 'one two' });
    expectProtocol(body);
    expect(body.resourceSpans[0]?.resource.attributes).toContainEqual({
      key: 'service.name',
      value: { stringValue: 'blog' },
    });
  }
  const spans = spansOf(received).filter(({ name }) => name !== 'GET /health/ready');
  expect(spans.map(({ name }) => name)).toEqual([
    'GET /api/posts',
    'GET /api/posts/:id',
    'GET',
    'GET /api/comments',
  ]);
  expect(JSON.stringify(spans)).not.toContain('secret');
  const [list, missing, , continued] = spans;
  expect(list).toMatchObject({ kind: 2, status: {} });
  expect(list?.attributes).toContainEqual({
    key: 'http.response.status_code',
    value: { intValue: 200 },
  });
  expect(missing?.attributes).toContainEqual({
    key: 'http.response.status_code',
    value: { intValue: 404 },
  });
  expect(continued).toMatchObject({ traceId, parentSpanId });
  expect(new Set(spans.map((span) => span.traceId)).size).toBe(4);
  for (const { startTimeUnixNano: began, endTimeUnixNano: end } of spans) {
    expect(BigInt(end) >= BigInt(began)).toBe(true);
    expect(Math.abs(Number(BigInt(end) / 1_000_000n) - Date.now())).toBeLessThan(600_000);
  }
  const lines = server.output().split('\n');
  const logged = lines.find((line) => line.includes('"/api/comments"'));
  expect(JSON.parse(logged ?? '')).toMatchObject({
    trace_id: traceId,
    span_id: continued?.spanId,
    status: 200,
  });
});

const malformed = [
  `00-${'0'.repeat(32)}-${parentSpanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId}-${parentSpanId}-01-more`,
  `ff-${traceId}-${parentSpanId}-01`,
  `00-${traceId.toUpperCase()}-${parentSpanId}-01`,
  'nonsense',
];

test('a malformed traceparent is as none; one of a later version may be longer', async () => {
  const server = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl });
  for (const traceparent of malformed) await get(server, '/api/comments', { traceparent });
  await get(server, '/api/posts', { traceparent: `01-${traceId}-${parentSpanId}-01-more` });
  await server.stop();
  const spans = spansOf(received);
  expect(spans.find(({ name }) => name === 'GET /api/posts')).toMatchObject({ traceId });
  const others = spans.filter(({ name }) => name === 'GET /api/comments');
  expect(others).toHaveLength(malformed.length);
  for (const span of others) {
    expect(span.traceId).toMatch(/^[\da-f]{32}$/);
    expect(span).not.toMatchObject({ traceId });
    expect(span).not.toHaveProperty('parentSpanId');
  }
});

test('without the setting nothing is sent or logged of traces', async () => {
  const server = await start({});
  await get(server, '/api/comments', { traceparent: `00-${traceId}-${parentSpanId}-01` });
  await server.stop();
  expect(server.output()).toContain('"/api/comments"');
  expect(server.output()).not.toMatch(/trace|span/);
  expect(received).toEqual([]);
});

test('a collector that is down disturbs nobody, and is mentioned once', async () => {
  const server = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
  await expect.poll(() => server.output(), { timeout: 30_000 }).toContain('spans_lost');
  await get(server, '/api/comments');
  expect(await server.stop()).toBe(0);
  expect(server.output().match(/spans_lost/g)).toHaveLength(1);
});

test('a collector that never answers delays no request, and the end by seconds', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const server = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
  await expect.poll(() => server.output(), { timeout: 30_000 }).toContain('spans_lost');
  await get(server, '/api/comments');
  expect(await server.stop()).toBe(0);
  silent.closeAllConnections();
  silent.close();
});

async function start(env: Readonly<Record<string, string>>): Promise<Server> {
  return startServer({
    cwd: app.folder,
    env: { ...app.env, ...env, LOG_LEVEL: 'info' },
    command: [process.execPath, 'dist/server.js', '--migrate'],
  });
}

async function get({ url }: Server, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, { headers });
  await response.text();
}

function spansOf(all: readonly Received[]): readonly Span[] {
  return all.flatMap(({ body }) =>
    body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );
}

/** What goes through the protocol's binary form and is the same afterwards has its fields, and no others. */
function expectProtocol(body: Request): void {
  // Its JSON writes ids in hexadecimal digits, where Protocol Buffers have base64.
  const text = JSON.stringify(body, (key, value: unknown) =>
    /^(traceId|spanId|parentSpanId)$/.test(key)
      ? Buffer.from(String(value), 'hex').toString('base64')
      : value,
  );
  const sent: unknown = JSON.parse(text);
  const parsed = message.fromObject(sent);
  expect(message.verify(parsed)).toBeNull();
  const again = message.decode(message.encode(parsed).finish());
  const plain = message.toObject(again, { longs: String, enums: Number, bytes: String });
  expect(JSON.parse(JSON.stringify(plain))).toEqual(
    JSON.parse(text, (key, value: unknown) => (key === 'intValue' ? String(value) : value)),
  );
}

async function officialMessage(): Promise<Message> {
  const folder = join(cacheFolder, 'otlp-0.51.1');
  const root = join(
    folder,
    'node_modules/@opentelemetry/otlp-proto-exporter-base/build/src/generated/root.js',
  );
  await withLock(`${folder}.lock`, async () => {
    if (existsSync(root)) return;
    await mkdir(folder, { recursive: true });
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps'];
    await must('npm', ['install', '--prefix', folder, ...flags, protocol], { cwd: folder });
  });
  const { opentelemetry } = createRequire(import.meta.url)(root);
  return opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
}
