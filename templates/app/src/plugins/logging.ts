import { LogController, type FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { logOutput } from './log-output.ts';

/** One JSON object a line, where no input can begin a line of its own; readable lines on a developer's terminal. */
export function loggerOptions(config: Config) {
  return {
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'id' }),
    logger: { level: config.logLevel, ...(isForReading(config) ? readable : machineReadable) },
  };
}

function isForReading({ environment }: Config): boolean {
  return environment === 'development' && process.stdout.isTTY;
}

const machineReadable = {
  stream: logOutput,
  base: null,
  formatters: { level: (level: string) => ({ level }) },
};

const readable = {
  transport: {
    target: 'pino-pretty',
    options: {
      translateTime: 'SYS:HH:MM:ss',
      ignore: 'pid,hostname,id,event,method,route,status,ms',
      messageFormat:
        '{if method}{method} {route} {status} in {ms} ms{end}{if event}{event} {end}{msg}',
    },
  },
};

/** A line a request. It is printed here, because the logger takes five times as long. */
export function addRequestLog(app: FastifyInstance): void {
  const { config } = app;
  if (!['trace', 'debug', 'info'].includes(config.logLevel)) return;
  const isReadable = isForReading(config);

  app.addHook('onResponse', (request, reply, done) => {
    const facts = {
      id: request.id,
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 100) / 100,
    };
    if (isReadable) app.log.info(facts);
    else logOutput.write(`${JSON.stringify({ level: 'info', time: Date.now(), ...facts })}\n`);
    done();
  });
}
