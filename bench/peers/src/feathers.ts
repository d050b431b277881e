import { feathers } from '@feathersjs/feathers';
import { KnexService } from '@feathersjs/knex';
import { bodyParser, errorHandler, koa, rest } from '@feathersjs/koa';
import schema from '@feathersjs/schema';
import typebox from '@feathersjs/typebox';
import knex from 'knex';

const { getValidator, querySyntax, Type } = typebox;
const { Ajv, hooks } = schema;

const articleSchema = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String({ maxLength: 160 }),
    body: Type.String(),
    views: Type.Integer(),
    created_at: Type.String(),
    updated_at: Type.String(),
  },
  { $id: 'Article', additionalProperties: false },
);
const dataSchema = Type.Pick(articleSchema, ['title', 'body'], { $id: 'ArticleData' });
const querySchema = Type.Intersect(
  [
    querySyntax(Type.Pick(articleSchema, ['id', 'title', 'views'])),
    Type.Object({}, { additionalProperties: false }),
  ],
  { additionalProperties: false },
);
const validateQuery = getValidator(querySchema, new Ajv({ coerceTypes: true }));
const validateData = getValidator(dataSchema, new Ajv());

const database = knex({ client: 'pg', connection: process.env.DATABASE_URL });
const app = koa(feathers());
app.use(errorHandler());
app.use(bodyParser());
app.configure(rest());
app.use(
  'articles',
  new KnexService({
    Model: database,
    name: 'peer_articles',
    paginate: { default: 50, max: 100 },
  }),
);
app.service('articles').hooks({
  before: {
    all: [hooks.validateQuery(validateQuery)],
    create: [
      hooks.validateData(validateData),
      async (context: { data: object }) => {
        const now = new Date();
        context.data = { ...context.data, views: 0, created_at: now, updated_at: now };
      },
    ],
  },
});
await app.listen(Number(process.env.PORT), '127.0.0.1');
