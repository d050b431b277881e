import { asc, count, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { bigint, integer, pgTable, text, timestamp, varchar } from 'drizzle-orm/pg-core';
import Fastify from 'fastify';

const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' });
const articles = pgTable('peer_articles', {
  id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
  title: varchar({ length: 160 }).notNull(),
  body: text().notNull(),
  views: integer().notNull().default(0),
  created_at: time('created_at').notNull().defaultNow(),
  updated_at: time('updated_at').notNull().defaultNow(),
});
const orders = { id: articles.id, title: articles.title };

const db = drizzle(process.env.DATABASE_URL ?? '');
const app = Fastify();

const article = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    title: { type: 'string' },
    body: { type: 'string' },
    views: { type: 'integer' },
    created_at: { type: 'string' },
    updated_at: { type: 'string' },
  },
} as const;

interface ListQuery {
  readonly offset: number;
  readonly views?: number;
  readonly order: keyof typeof orders;
}

const listSchema = {
  querystring: {
    type: 'object',
    properties: {
      offset: { type: 'integer', minimum: 0, default: 0 },
      views: { type: 'integer' },
      order: { type: 'string', enum: ['id', 'title'], default: 'id' },
    },
  },
  response: {
    200: {
      type: 'object',
      properties: {
        items: { type: 'array', items: article },
        total: { type: 'integer' },
        limit: { type: 'integer' },
        offset: { type: 'integer' },
      },
    },
  },
};

app.get<{ Querystring: ListQuery }>('/articles', { schema: listSchema }, async ({ query }) => {
  const { offset, views, order } = query;
  const where = views === undefined ? undefined : eq(articles.views, views);
  const [items, [found]] = await Promise.all([
    db.select().from(articles).where(where).orderBy(asc(orders[order])).limit(50).offset(offset),
    db.select({ total: count() }).from(articles).where(where),
  ]);
  return { items, total: found?.total, limit: 50, offset };
});

const readSchema = {
  params: { type: 'object', properties: { id: { type: 'integer' } } },
  response: { 200: article },
};

app.get<{ Params: { id: number } }>(
  '/articles/:id',
  { schema: readSchema },
  async ({ params }, reply) => {
    const [row] = await db.select().from(articles).where(eq(articles.id, params.id));
    return row ?? reply.code(404).send({ message: 'Not found' });
  },
);

const createSchema = {
  body: {
    type: 'object',
    required: ['title', 'body'],
    properties: { title: { type: 'string', maxLength: 160 }, body: { type: 'string' } },
  },
  response: { 201: article },
};

app.post<{ Body: { title: string; body: string } }>(
  '/articles',
  { schema: createSchema },
  async ({ body }, reply) => {
    const [row] = await db.insert(articles).values(body).returning();
    return reply.code(201).send(row);
  },
);

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
