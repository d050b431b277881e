import { expect, test } from 'vitest';
import { buildApp } from '../../src/model/build.ts';
import { printModelDiagram } from '../../src/render/views/model-diagram.ts';
import { parseSchema } from '../../src/schema/parse.ts';

function appOf(models: string) {
  const { schema, problems } = parseSchema(`version: 1\napp: { name: a }\nmodels: ${models}`);
  if (!schema) throw new Error(JSON.stringify(problems));
  return buildApp(schema);
}

test('each relation is drawn once, with how many rows are on either side', () => {
  const app = appOf(`{
    Post: { relations: { author: User, cover: { to: Image, optional: true, unique: true },
      tags: { to: 'Tag[]', inverse: posts }, series: { to: 'Series[]', through: Part } } },
    Image: {}, Tag: {}, Series: {},
    Part: { relations: { post: { to: Post, inverse: parts }, series: Series } } }`);
  expect(printModelDiagram(app)).toBe(`erDiagram
  "User"
  "Post"
  "Post" }o--|| "User" : "author"
  "Post" |o--o| "Image" : "cover"
  "Post" }o--o{ "Tag" : "tags"
  "Image"
  "Tag"
  "Series"
  "Part"
  "Part" }o--|| "Post" : "post"
  "Part" }o--|| "Series" : "series"`);
});

test('no name breaks out of the diagram', () => {
  const hostile = 'Post" : "x"\n```\n# Title\n<script>%%{init: {}}%%';
  const app = appOf('{ Post: { relations: { author: User } } }');
  const models = app.models.map((model) => ({
    ...model,
    names: { ...model.names, type: hostile },
    relations: model.relations.map((it) => ({ ...it, name: hostile })),
  }));
  const lines = printModelDiagram({ ...app, models }).split('\n');
  expect(lines[0]).toBe('erDiagram');
  for (const line of lines.slice(1)) {
    expect(line).toMatch(/^ {2}"\w+"( \}o--\|\| "\w+" : "\w+")?$/);
  }
  expect(lines.length).toBe(4);
});
