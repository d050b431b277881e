import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { addDocs } from './docs.ts';
import { tidyDocument } from './openapi-document.ts';

/** `/openapi.json` says what the routes say of themselves; `/docs` shows it, and logs in by "Authorize". */
export async function addOpenapi(app: FastifyInstance): Promise<void> {
  const { docs, name, description, version } = app.config;
  const flows = { password: { tokenUrl: '/auth/token', refreshUrl: '/auth/refresh', scopes: {} } };

  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: name, description, version },
      components: {
        securitySchemes: {
          login: { type: 'oauth2', description: 'The `username` is the email address.', flows },
        },
      },
    },
    transformObject: (document) =>
      'openapiObject' in document ? tidyDocument(document.openapiObject) : document.swaggerObject,
  });
  if (!docs) return;
  addDocs(app);
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}
