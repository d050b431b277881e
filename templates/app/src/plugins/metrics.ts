import type { FastifyInstance } from 'fastify';

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
