import proxyAddress from '@fastify/proxy-addr';
import { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify';
import type { Config } from '../config.ts';
import type { Problem } from '../lib/problem.ts';
import { pathOf, proxyTest, withoutPort } from '../lib/request.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the request was refused, for its line in the log. */
    problem: Problem | null;
  }
}

/**
 * One JSON object on each line, so that no input can start a line of its own; readable lines on a terminal in
 * development. Every line of `request.log` has the id of the request and the address it came from.
 */
export function loggerOptions(config: Config) {
  const isProxy = proxyTest(config.trustProxy);
  return {
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'id' }),
    // Not `...bindings`: spreading Fastify's object would take longer than everything else a logger does.
    childLoggerFactory: (logger, { id }, options, request) =>
      // The same as `request.ip`, which is not set yet.
      logger.child({ id, ip: withoutPort(proxyAddress(request, isProxy)) }, options),
    logger: {
      level: config.logLevel,
      redact: ['password', 'body.password', 'headers.authorization', 'headers.cookie'],
      base: null,
      formatters: { level: (level) => ({ level }) },
      ...(isForReading(config) ? { transport: readable } : { stream: standardOutput }),
    },
  } satisfies FastifyServerOptions;
}

function isForReading({ environment }: Config): boolean {
  return environment === 'development' && process.stdout.isTTY;
}

/** https://github.com/pinojs/pino-pretty */
const readable = {
  target: 'pino-pretty',
  options: {
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    messageFormat: '{if method}{method} {route} {status} in {ms} ms {end}{msg}',
    ignore: 'id,ip,method,route,status,ms',
  },
};

const longestWait = 50;
const largestBatch = 65_536;

let batch = '';

/**
 * Standard output, many lines at a time: a system call for each would cost as much as answering a request, and
 * `pino.destination` with `minLength` took four times as long for a line.
 */
const standardOutput = {
  write(line: string): void {
    if (batch === '') setTimeout(flush, longestWait).unref();
    batch += line;
    if (batch.length > largestBatch) flush();
  },
};

process.on('exit', flush);

function flush(): void {
  if (batch !== '') process.stdout.write(batch);
  batch = '';
}

/** One line for each request; for one that was refused, with its address and the reason. */
export function addRequestLog(app: FastifyInstance): void {
  app.decorateRequest('problem', null);
  app.addHook('onResponse', (request, reply, done) => {
    const { method, problem, routeOptions } = request;
    request.log.info({
      method,
      route: routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 100) / 100,
      ...(problem && { url: pathOf(request), code: problem.code, reason: reasonOf(problem) }),
    });
    done();
  });
}

/** On one line: names in it may come from the request. */
function reasonOf({ detail, errors = [] }: Problem): string {
  const faults = errors.slice(0, 5).map(({ loc, msg }) => `${loc.join('.')} ${msg}`);
  return `${detail} ${faults.join(', ')}`.trim().replaceAll(/\p{C}/gu, ' ').slice(0, 500);
}
