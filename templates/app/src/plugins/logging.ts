import { LogController, type FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { logOutput } from './log-output.ts';

/** One JSON object a line, where no input can begin a line of its own; readable lines on a developer's terminal. */
export function loggerOptions({ environment, logLevel }: Config) {
  const isReadable = environment === 'development' && process.stdout.isTTY;
  return {
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'id' }),
    logger: { level: logLevel, ...(isReadable ? readable : machineReadable) },
  };
}

const machineReadable = {
  stream: logOutput,
  base: null,
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  formatters: { level: (level: string) => ({ level }) },
};

const readable = {
  transport: {
    target: 'pino-pretty',
    options: {
      translateTime: 'SYS:HH:MM:ss',
      ignore: 'pid,hostname,id,method,route,status,ms',
      messageFormat: '{if method}{method} {route} {status} in {ms} ms{end}{msg}',
    },
  },
};

export function addRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info({
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 100) / 100,
    });
    done();
  });
}
