import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import cors from '@fastify/cors';
import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import type { Config } from '../config.ts';
import { proxyTest } from '../lib/client-address.ts';
import { brokenCodes } from '../lib/problem.ts';
import { sendProblem } from './errors.ts';

const constantHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Limits on what a client can make the server hold or wait for; Fastify sets hardly any. */
export function serverOptions({ requestTimeoutMs, trustProxy }: Config) {
  return {
    bodyLimit: 256 * 1024,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: 60_000 + requestTimeoutMs,
    keepAliveTimeout: 65_000,
    http: { headersTimeout: Math.min(15_000, requestTimeoutMs), maxHeaderSize: 16 * 1024 },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512 },
    trustProxy: trustProxy.length > 0 && proxyTest(trustProxy),
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
  const { corsOrigins, publicUrl } = app.config;
  const isEncrypted = publicUrl.startsWith('https:');
  const headers = {
    ...constantHeaders,
    ...(isEncrypted && { 'strict-transport-security': 'max-age=31536000' }),
  };

  app.server.maxConnections = 10_000;
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
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

/** The caller's own id is used if it cannot be mistaken for anything else in a log. */
function requestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

/** Answers what is not HTTP, and so reaches no route, and closes the connection. */
function refuseBrokenRequest(
  error: Error & { code?: string; rawPacket?: unknown },
  socket: Socket,
) {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = brokenStatus(error);
  const title = STATUS_CODES[status] ?? 'Error';
  const problem = { title, status, detail: `${title}.`, code: brokenCodes[status] };
  const body = JSON.stringify({ type: 'about:blank', ...problem });
  const headers = {
    ...constantHeaders,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const content = isHead(error.rawPacket) ? '' : body;
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${lines.join('')}\r\n${content}`);
}

function brokenStatus({ code, rawPacket }: { code?: string; rawPacket?: unknown }) {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  if (code !== 'HPE_HEADER_OVERFLOW') return 400;
  return isLongFirstLine(rawPacket) ? 414 : 431;
}

/** An answer to HEAD has no content (RFC 9110, section 9.3.2). */
function isHead(packet: unknown): boolean {
  return Buffer.isBuffer(packet) && packet.toString('latin1', 0, 5) === 'HEAD ';
}

function isLongFirstLine(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet)) return false;
  const head = packet.toString('latin1', 0, 8192);
  return /^[A-Z]+ /.test(head) && !head.includes('\r\n');
}
