import type { Engine } from '../../src/types/field-type.ts';

/** `correct horse battery`, as another program hashes it by bcrypt. */
const hash = '$2b$10$c.rycdSaDTmGn7HQ1qzc/OxyX1lpToYwBq9RHO9S5fcjsKV9h.M06';

/** As `prisma migrate deploy` and a year of use leave it; Bob signs in elsewhere. */
export const prismaDatabase: Readonly<Record<Engine, string>> = {
  postgres: `
    create type "Role" as enum ('USER', 'ADMIN', 'EDITOR');
    create type "Status" as enum ('DRAFT', 'PUBLISHED');
    create table "User" ("id" text not null, "email" text not null, "name" text, "password" text, "role" "Role" not null default 'USER',
      "createdAt" timestamp(3) not null default current_timestamp, "updatedAt" timestamp(3) not null, constraint "User_pkey" primary key ("id"));
    create table "Post" ("id" serial not null, "title" text not null, "body" text, "status" "Status" not null default 'DRAFT', "authorId" text not null,
      "createdAt" timestamp(3) not null default current_timestamp, "updatedAt" timestamp(3) not null, constraint "Post_pkey" primary key ("id"));
    create table "Tag" ("id" text not null, "name" varchar(40) not null, constraint "Tag_pkey" primary key ("id"));
    create table "_PostToTag" ("A" integer not null, "B" text not null, constraint "_PostToTag_AB_pkey" primary key ("A", "B"));
    create table "_prisma_migrations" ("id" varchar(36) not null primary key, "checksum" varchar(64) not null, "finished_at" timestamptz);
    create unique index "User_email_key" on "User" ("email");
    create unique index "Tag_name_key" on "Tag" ("name");
    create index "_PostToTag_B_index" on "_PostToTag" ("B");
    alter table "Post" add constraint "Post_authorId_fkey" foreign key ("authorId") references "User" ("id") on delete restrict on update cascade;
    alter table "_PostToTag" add constraint "_PostToTag_A_fkey" foreign key ("A") references "Post" ("id") on delete cascade on update cascade;
    alter table "_PostToTag" add constraint "_PostToTag_B_fkey" foreign key ("B") references "Tag" ("id") on delete cascade on update cascade;
    insert into "User" values
      ('ckp1', 'Ada@Example.com', 'Ada', '${hash}', 'ADMIN', '2024-01-02 03:04:05.678', '2024-01-02 03:04:05.678'),
      ('ckp2', 'bob@example.com', null, null, 'USER', '2024-01-02 03:04:05.678', '2024-01-02 03:04:05.678');
    insert into "Post" ("title", "status", "authorId", "updatedAt") values ('One', 'PUBLISHED', 'ckp1', now()), ('Two', 'DRAFT', 'ckp2', now());
    insert into "Tag" values ('ckt1', 'red'), ('ckt2', 'blue');
    insert into "_PostToTag" values (1, 'ckt1'), (1, 'ckt2'), (2, 'ckt2');`,
  sqlite: `
    create table "User" ("id" text not null primary key, "email" text not null, "name" text, "password" text, "role" text not null default 'USER',
      "createdAt" datetime not null default current_timestamp, "updatedAt" datetime not null);
    create table "Post" ("id" integer not null primary key autoincrement, "title" text not null, "body" text, "status" text not null default 'DRAFT',
      "authorId" text not null, "createdAt" datetime not null default current_timestamp, "updatedAt" datetime not null,
      constraint "Post_authorId_fkey" foreign key ("authorId") references "User" ("id") on delete restrict on update cascade);
    create table "Tag" ("id" text not null primary key, "name" text not null);
    create table "_PostToTag" ("A" integer not null, "B" text not null,
      constraint "_PostToTag_A_fkey" foreign key ("A") references "Post" ("id") on delete cascade on update cascade,
      constraint "_PostToTag_B_fkey" foreign key ("B") references "Tag" ("id") on delete cascade on update cascade);
    create table "_prisma_migrations" ("id" text primary key not null, "checksum" text not null, "finished_at" datetime);
    create unique index "User_email_key" on "User" ("email");
    create unique index "Tag_name_key" on "Tag" ("name");
    create unique index "_PostToTag_AB_unique" on "_PostToTag" ("A", "B");
    create index "_PostToTag_B_index" on "_PostToTag" ("B");
    insert into "User" values
      ('ckp1', 'Ada@Example.com', 'Ada', '${hash}', 'ADMIN', 1704164645678, 1704164645678),
      ('ckp2', 'bob@example.com', null, null, 'USER', 1704164645678, 1704164645678);
    insert into "Post" ("title", "status", "authorId", "updatedAt") values ('One', 'PUBLISHED', 'ckp1', 1704164645678), ('Two', 'DRAFT', 'ckp2', 1704164645678);
    insert into "Tag" values ('ckt1', 'red'), ('ckt2', 'blue');
    insert into "_PostToTag" values (1, 'ckt1'), (1, 'ckt2'), (2, 'ckt2');`,
};

/** As `rails db:migrate` leaves it. */
export const rails = `
  create table schema_migrations (version varchar primary key);
  create table ar_internal_metadata (key varchar primary key, value varchar, created_at timestamp(6) not null, updated_at timestamp(6) not null);
  create table users (
    id bigserial primary key, email varchar default '' not null, encrypted_password varchar default '' not null,
    name varchar, created_at timestamp(6) not null, updated_at timestamp(6) not null
  );
  create unique index index_users_on_email on users (email);
  create table posts (
    id bigserial primary key, title varchar not null, body text, status integer default 0 not null, tags varchar[] default '{}',
    price numeric(8,2), settings jsonb default '{}'::jsonb not null, author_id bigint not null references users (id),
    deleted_at timestamp(6), published_on date, created_at timestamp(6) not null, updated_at timestamp(6) not null,
    search tsvector, constraint price_is_fair check (price >= 0 or title like 'Gift%')
  );
  create index index_posts_on_author_id on posts (author_id);
  create index index_posts_on_status_and_published_on on posts (status, published_on desc);
  create unique index index_posts_on_title on posts (title) where status = 1;
  create index index_posts_on_search on posts using gin (search);
  create index index_posts_on_lower_title on posts (lower(title));
  create table categories_posts (category_id bigint not null, post_id bigint not null);
  create table taggings (id bigserial primary key, taggable_type varchar not null, taggable_id bigint not null, unique (taggable_type, taggable_id));
  create view published_posts as select * from posts where status = 1;`;

/** As `manage.py migrate` does. */
export const django = `
  create table django_migrations (id bigint generated by default as identity primary key, app varchar(255) not null);
  create table auth_user (
    id integer generated by default as identity primary key, password varchar(128) not null, last_login timestamptz,
    is_superuser boolean not null, username varchar(150) not null unique, email varchar(254) not null, date_joined timestamptz not null
  );
  create table shop_order (
    id bigint generated by default as identity primary key, number uuid not null unique, quantity integer not null check (quantity >= 0),
    starts date not null, ends date not null, buyer_id integer not null references auth_user (id) deferrable initially deferred,
    state varchar(8) not null constraint known_state check (state in ('new', 'paid', 'sent')),
    constraint ends_after_it_starts check (ends > starts)
  );
  create index shop_order_buyer_id_1a on shop_order (buyer_id);`;

/** A library as another program stores it in a file. */
export const library = `
  create table "Book" ("isbn" varchar(13) primary key, "bookTitle" nvarchar(80) not null collate nocase, pages integer, price decimal(8,2), "addedAt" datetime default current_timestamp, cover blob, "isRead" boolean not null default 0);
  create table shelf (room text not null, number int not null, height real, area real generated always as (height * 2) virtual, primary key (room, number)) without rowid;
  create table placed (id integer primary key, isbn text references "Book", room text, number int, place int unique, foreign key (room, number) references shelf (room, number) on delete cascade);
  create index by_half_title on "Book" (substr("bookTitle", 1, 5));
  create index unread on "Book" ("bookTitle") where "isRead" = 0;
  create view tall as select * from shelf where height > 100;
  create virtual table book_text using fts5 (title);
  create trigger counted after insert on placed begin update shelf set height = 1; end;`;
