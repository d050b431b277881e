import type { Engine } from '../../src/model/app.ts';

/** `correct horse battery`, as bcrypt of another program has it. */
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
