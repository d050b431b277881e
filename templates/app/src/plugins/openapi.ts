import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { tidyDocument } from './openapi-document.ts';

/** The page loads its own files and calls this server, nothing else. */
const contentSecurityPolicy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** `/openapi.json` says what the routes say of themselves; `/docs` shows it, and logs in by "Authorize". */
export async function addOpenapi(app: FastifyInstance): Promise<void> {
  const { docs, name, description } = app.config;
  const flows = { password: { tokenUrl: '/auth/token', refreshUrl: '/auth/refresh', scopes: {} } };

  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: name, description, version: '0.1.0' },
      components: { securitySchemes: { login: { type: 'oauth2', flows } } },
    },
    transformObject: (document) =>
      'openapiObject' in document ? tidyDocument(document.openapiObject) : document.swaggerObject,
  });
  if (!docs) return;
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: contentSecurityPolicy });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}
