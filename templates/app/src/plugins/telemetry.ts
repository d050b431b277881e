import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { migrationStatus } from '../database/migrate.ts';
import { Problem, problems } from '../lib/problem.ts';
import { pathOf } from '../lib/request.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the server is about to stop: set, it is no longer ready for more requests. */
    readonly stopping: { isAsked: boolean };
  }
  interface FastifyRequest {
    trace: Trace | null;
  }
}

const shape = {
  type: 'object',
  required: ['status', 'version'],
  properties: {
    status: { type: 'string', enum: ['ok'] },
    version: { type: 'string', description: 'Of this server, as its `package.json` has it.' },
  },
};

const live = {
  operationId: 'isLive',
  summary: 'Is the process alive?',
  tags: ['health'],
  response: { 200: shape, ...problems() },
};
const ready = { ...live, operationId: 'isReady', summary: 'Can it serve?' };

/** For whatever runs the server: is the process alive, and can it serve? */
export function addHealth(app: FastifyInstance): void {
  const status = { status: 'ok', version: app.config.version };
  const stopping = { isAsked: false };
  let isMigrated = false;
  app.decorate('stopping', stopping);

  app.get('/health/live', { schema: live }, async () => status);

  app.get('/health/ready', { schema: ready }, async () => {
    if (stopping.isAsked) throw unready('stopping', 'The server is stopping.');
    await app.connection.ping();
    isMigrated ||= (await migrationStatus(app.database)).pending.length === 0;
    if (!isMigrated) throw unready('migrations_pending', 'Migrations are pending.');
    return status;
  });
}

function unready(code: string, detail: string): Problem {
  return new Problem(503, code, detail, { headers: { 'retry-after': '5' } });
}

/** `/metrics` for Prometheus: the process, and how long answers take. Open to whoever reaches it, so keep it inside. */
export async function addMetrics(app: FastifyInstance): Promise<void> {
  if (!app.config.metrics) return;
  const { collectDefaultMetrics, Histogram, Registry } = await import('prom-client');
  const register = new Registry();
  collectDefaultMetrics({ register });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long requests took, by method, route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    registers: [register],
  });

  app.addHook('onResponse', (request, reply, done) => {
    // A path that no route serves is anything a client likes: as a label it would fill the memory.
    const { method, routeOptions } = request;
    const labels = { method, route: routeOptions.url ?? 'none', status: reply.statusCode };
    durations.observe(labels, reply.elapsedTime / 1000);
    done();
  });
  app.addHook('onClose', async () => register.clear());
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type(register.contentType).send(await register.metrics()),
  );
}

interface Trace {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  /** Whoever began the trace decides whether it is kept. */
  readonly isSampled: boolean;
}

const mostWaiting = 10_000;
const flushMilliseconds = 3000;
/** Less than that, so that never two batches are on their way. */
const sendMilliseconds = 2000;

/**
 * Sends a span for each request to the OpenTelemetry collector of the settings, in OTLP's JSON, and continues the trace
 * of a `traceparent` header. A collector that does not answer costs its spans, never a request.
 */
export function addTracing(app: FastifyInstance): void {
  if (app.config.tracing.url === '') return;
  const spans = openExporter(app);
  app.decorateRequest('trace', null);
  app.addHook('onRequest', (request, reply, done) => {
    const trace = continueTrace(request.headers.traceparent);
    request.trace = trace;
    const { traceId: trace_id, spanId: span_id } = trace;
    reply.log = request.log = request.log.child({ trace_id, span_id });
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (request.trace?.isSampled === true) spans.add(spanOf(request.trace, request, reply));
    done();
  });
  app.addHook('onClose', () => spans.close());
}

/** W3C Trace Context, level 1: a header that is not well formed is as none. */
function continueTrace(header: unknown): Trace {
  const spanId = randomBytes(8).toString('hex');
  const known =
    /^(?!ff|00.{53}-)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-|$)/;
  const [, traceId, parentSpanId, flags = ''] = known.exec(String(header)) ?? [];
  if (traceId === undefined || parentSpanId === undefined) {
    return { traceId: randomBytes(16).toString('hex'), spanId, isSampled: true };
  }
  return { traceId, spanId, parentSpanId, isSampled: Number.parseInt(flags, 16) % 2 === 1 };
}

function spanOf(trace: Trace, request: FastifyRequest, reply: FastifyReply) {
  const { isSampled: _, ...ids } = trace;
  const { method, routeOptions, protocol } = request;
  const { statusCode } = reply;
  const now = Date.now();
  const isFault = statusCode >= 500;
  return {
    ...ids,
    name: routeOptions.url === undefined ? method : `${method} ${routeOptions.url}`,
    kind: 2, // of a server
    startTimeUnixNano: nanoseconds(now - reply.elapsedTime),
    endTimeUnixNano: nanoseconds(now),
    attributes: attributes({
      'http.request.method': method,
      'http.route': routeOptions.url,
      'http.response.status_code': statusCode,
      'url.path': pathOf(request),
      'url.scheme': protocol,
      'error.type': isFault ? String(statusCode) : undefined,
    }),
    status: isFault ? { code: 2 } : {},
  };
}

function nanoseconds(milliseconds: number): string {
  return `${Math.round(milliseconds * 1000)}000`;
}

function attributes(values: Readonly<Record<string, string | number | undefined>>) {
  return Object.entries(values).flatMap(([key, value]) => {
    if (value === undefined) return [];
    return { key, value: typeof value === 'number' ? { intValue: value } : { stringValue: value } };
  });
}

type Span = ReturnType<typeof spanOf>;

/** Spans go together. What cannot be sent is dropped, and the log says once that it is. */
function openExporter({ config, log }: FastifyInstance) {
  const waiting: Span[] = [];
  let isLosing = false;
  const flush = async () => {
    if (waiting.length === 0) return;
    const fault = await send(config, waiting.splice(0));
    if (fault !== undefined && !isLosing)
      log.warn({ event: 'spans_lost', fault }, 'Spans are lost');
    isLosing = fault !== undefined;
  };
  let flushed = Promise.resolve();
  const timer = setInterval(() => (flushed = flush()), flushMilliseconds).unref();

  return {
    add(span: Span): void {
      if (waiting.length < mostWaiting) waiting.push(span);
    },
    async close(): Promise<void> {
      clearInterval(timer);
      await flushed;
      await flush();
    },
  };
}

/** Returns why it could not. */
async function send(config: Config, spans: readonly Span[]): Promise<string | undefined> {
  const { name, version, environment, tracing } = config;
  const resource = attributes({
    'service.name': name,
    'service.version': version,
    'deployment.environment.name': environment,
  });
  const scopeSpans = [{ scope: { name: 'http' }, spans }];
  try {
    const response = await fetch(`${tracing.url}/v1/traces`, {
      method: 'POST',
      headers: [['content-type', 'application/json'], ...tracing.headers],
      body: JSON.stringify({ resourceSpans: [{ resource: { attributes: resource }, scopeSpans }] }),
      signal: AbortSignal.timeout(sendMilliseconds),
    });
    await response.arrayBuffer();
    return response.ok ? undefined : `The collector answers ${response.status}.`;
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return String(cause);
  }
}
