import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import cors from '@fastify/cors';
import type { FastifyInstance, FastifyRequest, FastifyServerOptions } from 'fastify';
import type { Config } from '../config.ts';
import { sendProblem } from './errors.ts';

const constantHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Bounds on what a client can make the server hold or wait for; Fastify sets next to none. */
export function serverOptions({ requestTimeoutMs, trustProxy }: Config) {
  return {
    bodyLimit: 256 * 1024,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: 60_000 + requestTimeoutMs,
    keepAliveTimeout: 65_000,
    http: { headersTimeout: Math.min(15_000, requestTimeoutMs), maxHeaderSize: 16 * 1024 },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 100 },
    trustProxy: trustProxy.length > 0 && [...trustProxy],
    // While the server stops, requests that still arrive on open connections are answered.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: requestId,
    clientErrorHandler: refuseBrokenRequest,
    frameworkErrors(error, request, reply) {
      reply.headers({ ...constantHeaders, 'x-request-id': request.id });
      sendProblem(error, request, reply);
    },
  } satisfies FastifyServerOptions & { http: object };
}

export async function addSecurity(app: FastifyInstance): Promise<void> {
  const { corsOrigins, publicUrl, trustProxy } = app.config;
  const noteProxy = proxyWatch(trustProxy);
  const isEncrypted = publicUrl.startsWith('https:');
  const headers = {
    ...constantHeaders,
    ...(isEncrypted && { 'strict-transport-security': 'max-age=31536000' }),
  };

  app.server.maxConnections = 10_000;
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    if (request.headers['x-forwarded-for'] !== undefined) noteProxy(request);
    done();
  });
  if (corsOrigins.length > 0) {
    await app.register(cors, {
      origin: [...corsOrigins],
      strictPreflight: false,
      methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
      exposedHeaders: ['ETag', 'Link', 'Location', 'Retry-After', 'X-Request-Id', 'X-Total-Count'],
      maxAge: 600,
    });
  }
}

/** Says once that a proxy is there which nobody has told this server of. */
function proxyWatch(trustProxy: readonly string[]): (request: FastifyRequest) => void {
  let isSaid = trustProxy.length > 0;
  return ({ log, ip }) => {
    if (isSaid) return;
    isSaid = true;
    log.warn(
      { event: 'unknown_proxy' },
      `${ip} sends X-Forwarded-For, and TRUST_PROXY is not set: if it is your proxy, all its clients count as one.`,
    );
  };
}

/** A caller's own id is kept when it cannot be mistaken for anything else in a log. */
function requestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

/** Requests that are no HTTP never reach a route. They are answered here, and their connection ends. */
function refuseBrokenRequest(
  error: Error & { code?: string; rawPacket?: unknown },
  socket: Socket,
) {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, code } = brokenRequest(error);
  const title = STATUS_CODES[status];
  const body = JSON.stringify({ type: 'about:blank', title, status, detail: title, code });
  const headers = {
    ...constantHeaders,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${lines.join('')}\r\n${body}`);
}

function brokenRequest({ code, rawPacket }: { code?: string; rawPacket?: unknown }) {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { status: 408, code: 'request_timeout' };
  if (code !== 'HPE_HEADER_OVERFLOW') return { status: 400, code: 'bad_request' };
  return isLongFirstLine(rawPacket)
    ? { status: 414, code: 'uri_too_long' }
    : { status: 431, code: 'headers_too_large' };
}

function isLongFirstLine(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet)) return false;
  const head = packet.toString('latin1', 0, 8192);
  return /^[A-Z]+ /.test(head) && !head.includes('\r\n');
}
