import type { Json } from './schema.ts';
import { jsonSchemaOfModel } from './json-schema-model.ts';
import { engines } from '../types/engine.ts';
import { map, named, text, type Names } from './json-schema-parts.ts';

const none: Names = { models: ['User'], enums: [], roles: ['user', 'admin'] };

/**
 * The schema language as JSON Schema, for completion and checks in editors. Draft 7, which the YAML language server
 * knows best. It says what a file may hold; what must fit together is told by `scaffold check`.
 */
export function jsonSchema(names = none): { readonly [key: string]: Json } {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'scaffold schema, version 1',
    ...map({
      required: ['version', 'app'],
      keys: {
        version: { description: 'Version of the schema language.', const: 1 },
        app: map({
          description: 'What the server is called.',
          required: ['name'],
          keys: {
            name: {
              ...text('The npm package name: `blog-api`.'),
              pattern: '^[a-z0-9]+([-._][a-z0-9]+)*$',
              maxLength: 100,
            },
            description: text('One or two sentences; reaches the README and the OpenAPI document.'),
          },
        }),
        database: {
          description: 'The database; `sqlite` when absent.',
          enum: engines,
          default: 'sqlite',
        },
        api: map({
          description: 'The HTTP interface.',
          keys: {
            prefix: {
              ...text('Path before every list of rows: `/api`; `/` for none.'),
              pattern: '^/',
              default: '/api',
            },
          },
        }),
        auth: map({
          description: 'Who there is.',
          keys: {
            roles: {
              description: 'Roles besides `user` and `admin`, which always exist.',
              type: 'array',
              uniqueItems: true,
              items: {
                type: 'string',
                pattern: '^[A-Za-z][A-Za-z0-9_]*$',
                not: { enum: ['user', 'admin'] },
              },
            },
          },
        }),
        enums: named('Sets of values that a field may take.', '#/definitions/enum'),
        models: named(
          'One entry for each kind of row. `User` is always there.',
          '#/definitions/model',
        ),
      },
    }),
    definitions: jsonSchemaOfModel(names),
  };
}
