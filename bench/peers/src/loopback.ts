import 'reflect-metadata';
import { inject } from '@loopback/core';
import {
  DefaultCrudRepository,
  Entity,
  type Filter,
  juggler,
  model,
  property,
  repository,
  RepositoryMixin,
} from '@loopback/repository';
import { get, getModelSchemaRef, param, post, requestBody, RestApplication } from '@loopback/rest';
import connector from 'loopback-connector-postgresql';

@model({ settings: { postgresql: { table: 'peer_articles' } } })
class Article extends Entity {
  @property({ id: true, generated: true, type: 'number' })
  id?: number;

  @property({ required: true, jsonSchema: { maxLength: 160 } })
  title: string;

  @property({ required: true })
  body: string;

  @property({ default: 0 })
  views?: number;

  @property({ type: 'date', defaultFn: 'now' })
  created_at?: string;

  @property({ type: 'date', defaultFn: 'now' })
  updated_at?: string;
}

class ArticleRepository extends DefaultCrudRepository<Article, number> {
  constructor(@inject('datasources.db') source: juggler.DataSource) {
    super(Article, source);
  }
}

class ArticleController {
  constructor(@repository(ArticleRepository) private readonly articles: ArticleRepository) {}

  @get('/articles')
  async list(@param.filter(Article) filter: Filter<Article> = {}) {
    const [items, { count: total }] = await Promise.all([
      this.articles.find({ order: ['id'], ...filter, limit: 50 }),
      this.articles.count(filter.where),
    ]);
    return { items, total, limit: 50, offset: filter.offset ?? 0 };
  }

  @get('/articles/{id}')
  read(@param.path.number('id') id: number) {
    return this.articles.findById(id);
  }

  @post('/articles')
  create(
    @requestBody({
      content: {
        'application/json': {
          schema: getModelSchemaRef(Article, {
            exclude: ['id', 'views', 'created_at', 'updated_at'],
          }),
        },
      },
    })
    article: Omit<Article, 'id'>,
  ) {
    return this.articles.create(article);
  }
}

const App = RepositoryMixin(RestApplication);
const app = new App({ rest: { port: Number(process.env.PORT), host: '127.0.0.1' } });
app.dataSource(new juggler.DataSource('db', { connector, url: process.env.DATABASE_URL }), 'db');
app.repository(ArticleRepository);
app.controller(ArticleController);
await app.start();
