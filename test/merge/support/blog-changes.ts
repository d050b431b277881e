/** The blog after every single change of the list, then after pairs of them: the text of its schema by name. */
export function changedBlogs(): ReadonlyMap<string, string> {
  const names = Object.keys(changes);
  const pairs = names.flatMap((name, index) => {
    const other = names[(index * 7 + 3) % names.length];
    return other && other !== name ? [[name, other]] : [];
  });
  const all = [...names.map((name) => [name]), ...pairs];
  return new Map(
    all.flatMap((applied) => {
      const text = changed(applied);
      return text === undefined ? [] : [[applied.join(' + '), text]];
    }),
  );
}

/** Nothing when one change takes away what another needs. */
function changed(applied: readonly string[]): string | undefined {
  const schema = structuredClone(blog);
  try {
    for (const name of applied) changes[name]?.(schema);
  } catch (error) {
    if (applied.length > 1) return undefined;
    throw error;
  }
  return JSON.stringify(schema, null, 2);
}

type Change = (schema: typeof blog) => unknown;

interface ModelText {
  owner?: string;
  soft_delete?: boolean;
  description?: string;
  path?: string;
  endpoints?: string[];
  order_by?: string;
  fields: Record<string, unknown>;
  relations?: Record<string, unknown>;
  unique?: string[][];
  access?: Record<string, unknown>;
}

interface SchemaText {
  version: number;
  app: { name: string; description: string };
  auth: { roles: string[] };
  enums: Record<string, string[]>;
  models: Record<string, ModelText>;
}

const post: ModelText = {
  description: 'An article.',
  owner: 'author',
  soft_delete: true,
  fields: {
    title: 'string(3..160)',
    slug: { type: 'string(1..160)', example: 'hello-world' },
    body: 'text',
    status: 'PostStatus = draft',
    views: 'int(0..) = 0 readonly',
    rating: 'decimal(3,2)?',
    published_at: 'datetime? index',
  },
  relations: { author: 'User', tags: 'Tag[]' },
  unique: [['author', 'slug']],
  order_by: '-published_at',
  access: {
    read: 'public',
    create: 'authenticated',
    update: ['owner', 'editor'],
    delete: ['owner', 'admin'],
  },
};

const comment: ModelText = {
  owner: 'author',
  fields: { body: 'string(1..2000)' },
  relations: {
    post: { to: 'Post', on_delete: 'cascade', inverse: 'comments' },
    author: 'User',
  },
  access: { read: 'public' },
};

const tag: ModelText = {
  path: 'topics',
  fields: { name: 'string(1..40) unique' },
  access: { read: 'public', create: 'editor', update: 'editor', delete: 'admin' },
};

const blog = {
  version: 1,
  app: { name: 'blog', description: 'A small blog.' },
  auth: { roles: ['editor'] },
  enums: { PostStatus: ['draft', 'published', 'archived'] },
  models: {
    User: { fields: { bio: 'text?' } } satisfies ModelText,
    Post: post,
    Comment: comment,
    Tag: tag,
  },
} satisfies SchemaText;

const changes: Readonly<Record<string, Change>> = {
  'a field more': ({ models }) => Object.assign(models.Post.fields, { subtitle: 'string(1..80)?' }),
  'a field more in front': ({ models }) => {
    models.Post.fields = { kicker: 'string(1..20)?', ...models.Post.fields };
  },
  'a field of users more': ({ models }) =>
    Object.assign(models.User.fields, { city: 'string(1..80)?' }),
  'a field less': ({ models }) => delete models.Post.fields['rating'],
  'a field of another type': ({ models }) =>
    Object.assign(models.Post.fields, { views: 'bigint(0..) = 0 readonly' }),
  'a longer field': ({ models }) => Object.assign(models.Post.fields, { title: 'string(3..200)' }),
  'a shorter comment': ({ models }) =>
    Object.assign(models.Comment.fields, { body: 'string(1..500)' }),
  'an enum value more': ({ enums }) => enums.PostStatus.splice(1, 0, 'review'),
  'an enum value less': ({ enums }) => enums.PostStatus.pop(),
  'an enum more': ({ enums, models }) => {
    Object.assign(enums, { Mood: ['calm', 'angry'] });
    Object.assign(models.Comment.fields, { mood: 'Mood = calm' });
  },
  'nobody owns posts': ({ models }) => {
    delete models.Post.owner;
    models.Post.access = { read: 'public', create: 'editor', update: 'editor', delete: 'admin' };
  },
  'tags are owned': ({ models }) => {
    models.Tag.owner = 'maker';
    models.Tag.relations = { maker: 'User' };
  },
  'posts are deleted for good': ({ models }) => delete models.Post.soft_delete,
  'comments can be restored': ({ models }) => Object.assign(models.Comment, { soft_delete: true }),
  'reading needs an account': ({ models }) =>
    Object.assign(models.Post.access ?? {}, { read: 'authenticated' }),
  'only editors write': ({ models }) =>
    Object.assign(models.Post.access ?? {}, { create: 'editor', update: 'editor' }),
  'comments are private': ({ models }) =>
    Object.assign(models.Comment, { access: { read: 'owner' } }),
  'a role more': ({ auth, models }) => {
    auth.roles.push('moderator');
    Object.assign(models.Comment.access ?? {}, { delete: ['owner', 'moderator'] });
  },
  'no way to change tags': ({ models }) =>
    Object.assign(models.Tag, { endpoints: ['list', 'read', 'create'] }),
  'comments are read-only': ({ models }) =>
    Object.assign(models.Comment, { endpoints: ['list', 'read'] }),
  'another path': ({ models }) => Object.assign(models.Tag, { path: 'labels' }),
  'another order': ({ models }) => Object.assign(models.Post, { order_by: 'title' }),
  'another description': ({ models }) =>
    Object.assign(models.Post, { description: 'A longer text.' }),
  'a model more': ({ models }) =>
    Object.assign(models, {
      Photo: { fields: { url: 'url', width: 'int?' }, relations: { post: 'Post' } },
    }),
  'a model less': ({ models }) => Reflect.deleteProperty(models, 'Comment'),
  'a model for another': ({ models }) => {
    Reflect.deleteProperty(models, 'Comment');
    Object.assign(models, {
      Review: { fields: { body: 'string(1..500)' }, relations: { post: 'Post' } },
    });
  },
  'a relation more': ({ models }) =>
    Object.assign(models.Comment.relations ?? {}, {
      parent: { to: 'Comment', optional: true, inverse: 'replies' },
    }),
  'a relation less': ({ models }) => delete models.Post.relations?.['tags'],
  'a unique pair less': ({ models }) => delete models.Post.unique,
  'a field renamed': ({ models }) => {
    const { title, ...others } = models.Post.fields;
    models.Post.fields = { headline: { type: title, was: 'title' }, ...others };
  },
  'a model renamed': ({ models }) => {
    const { Tag, ...others } = models;
    Object.assign(models, { Label: { ...Tag, was: 'Tag' } });
    Reflect.deleteProperty(models, 'Tag');
    Object.assign(others.Post, { relations: { author: 'User', tags: 'Label[]' } });
  },
  'a value renamed': ({ enums }) =>
    Object.assign(enums, {
      PostStatus: ['draft', { value: 'public', was: 'published' }, 'archived'],
    }),
  'ids of another kind': ({ models }) => Object.assign(models.Comment, { id: 'uuid' }),
  'no times': ({ models }) => Object.assign(models.Tag, { timestamps: false }),
  'a list of values': ({ models }) =>
    Object.assign(models.Post.fields, { keywords: 'string[] = []' }),
  'names in camel case': (schema) => Object.assign(schema, { naming: 'camel' }),
  'another app': ({ app }) => Object.assign(app, { name: 'journal', description: 'A journal.' }),
};

export const blogText = JSON.stringify(blog, null, 2);
