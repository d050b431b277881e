import 'reflect-metadata';
import {
  Body,
  Controller,
  Get,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Query,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, MaxLength, Min } from 'class-validator';
import {
  Column,
  CreateDateColumn,
  Entity,
  PrimaryGeneratedColumn,
  type Repository,
  UpdateDateColumn,
} from 'typeorm';

@Entity('peer_articles')
class Article {
  @PrimaryGeneratedColumn()
  id: number;

  @Column({ length: 160 })
  title: string;

  @Column('text')
  body: string;

  @Column({ default: 0 })
  views: number;

  @CreateDateColumn({ type: 'timestamptz' })
  created_at: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updated_at: Date;
}

class ListQuery {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  offset = 0;

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  views?: number;

  @IsOptional()
  @IsIn(['id', 'title'])
  order: 'id' | 'title' = 'id';
}

class CreateArticle {
  @IsString()
  @MaxLength(160)
  title: string;

  @IsString()
  body: string;
}

@Controller('articles')
class ArticlesController {
  constructor(@InjectRepository(Article) private readonly articles: Repository<Article>) {}

  @Get()
  async list(@Query() { offset, views, order }: ListQuery) {
    const [items, total] = await this.articles.findAndCount({
      where: views === undefined ? {} : { views },
      order: { [order]: 'ASC' },
      take: 50,
      skip: offset,
    });
    return { items, total, limit: 50, offset };
  }

  @Get(':id')
  async read(@Param('id', ParseIntPipe) id: number) {
    const article = await this.articles.findOneBy({ id });
    if (article === null) throw new NotFoundException();
    return article;
  }

  @Post()
  create(@Body() article: CreateArticle) {
    return this.articles.save(this.articles.create(article));
  }
}

@Module({
  imports: [
    TypeOrmModule.forRoot({ type: 'postgres', url: process.env.DATABASE_URL, entities: [Article] }),
    TypeOrmModule.forFeature([Article]),
  ],
  controllers: [ArticlesController],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
await app.listen(Number(process.env.PORT), '127.0.0.1');
