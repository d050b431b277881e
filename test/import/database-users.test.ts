import { expect, test } from 'vitest';
import { engines } from '../../src/types/field-type.ts';
import { appOf, importedFrom } from './import-database.ts';

test.each(engines)('a database has users whose hashes stay hidden, on %s', async (engine) => {
  const { text } = await importedFrom(
    engine,
    `create table users (id integer primary key, email varchar(200) not null unique, "passwordHash" varchar(60) not null);`,
  );
  const [user] = appOf(text).models;
  expect(user?.fields.find(({ name }) => name === 'passwordHash')).toMatchObject({
    hidden: true,
    source: 'server',
    nullable: true,
  });
});

test.each(engines)('a database may have users without an address, on %s', async (engine) => {
  const { text, notes } = await importedFrom(
    engine,
    `create table "user" (user_id varchar(40) primary key, username varchar(255) not null unique);`,
  );
  expect(() => appOf(text)).not.toThrow();
  expect(text).toMatch(/User:\n +table: user\n/);
  expect(notes.notes.map(({ what }) => what)).toContain('user, no email, password, role');
});
