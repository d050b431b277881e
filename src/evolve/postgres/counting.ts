import { rowCounts } from '../../schema/internal-tables.ts';
import { textSql } from '../../types/sql.ts';
import { identifierSql } from '../sql/sql-text.ts';
import type { Counting, Table } from '../tables/table.ts';

/**
 * In its own transaction, each statement adds its changes to a row of totals that nobody else has locked, or to a new
 * one: the sum of those rows is exact in every snapshot, and no two writers wait for each other. There are as many rows
 * as there were ever concurrent writers, and one write in a hundred merges all that are free. A long transaction
 * appends rows, because it would reread each of its own versions; so does one with an old snapshot, which may not
 * change what others have changed since.
 */
const keepCountsSql = `CREATE FUNCTION keep_row_counts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $keep$
DECLARE
  setting text := 'row_counts.deleted_' || tg_relid;
  deletions bigint := coalesce(nullif(current_setting(setting, true), ''), '0');
  additions bigint := 0;
BEGIN
  IF tg_level = 'ROW' THEN
    -- Counted in a setting of the transaction, until the trigger of the statement writes them down.
    PERFORM set_config(setting, (deletions + CASE
      WHEN tg_op = 'DELETE' OR tg_op = 'UPDATE' AND to_jsonb(new) ->> tg_argv[0] IS NULL THEN -1 ELSE 1
    END)::text, true);
    RETURN NULL;
  ELSIF tg_op = 'TRUNCATE' THEN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
      RAISE EXCEPTION 'truncate % in a transaction that is read committed', tg_table_name;
    END IF;
    DELETE FROM row_counts WHERE name = tg_table_name;
    RETURN NULL;
  ELSIF tg_op = 'INSERT' THEN
    additions := (SELECT count(*) FROM changed);
  ELSIF tg_op = 'DELETE' THEN
    additions := -(SELECT count(*) FROM changed);
  END IF;
  IF additions = 0 AND deletions = 0 THEN
    RETURN NULL;
  END IF;
  IF deletions <> 0 THEN
    PERFORM set_config(setting, '', true);
  END IF;
  IF clock_timestamp() < now() + '50 ms' AND current_setting('transaction_isolation') = 'read committed' THEN
    IF random() < 0.99 THEN
      UPDATE row_counts SET total = total + additions, deleted = deleted + deletions
        WHERE name = tg_table_name AND id = (
          SELECT id FROM row_counts WHERE name = tg_table_name LIMIT 1 FOR UPDATE SKIP LOCKED);
      IF FOUND THEN
        RETURN NULL;
      END IF;
    ELSE
      WITH gone AS (
        DELETE FROM row_counts WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM row_counts WHERE name = tg_table_name LIMIT 10000 FOR UPDATE SKIP LOCKED
        )) RETURNING total, deleted
      )
      SELECT additions + coalesce(sum(total), 0), deletions + coalesce(sum(deleted), 0)
        INTO additions, deletions FROM gone;
    END IF;
  END IF;
  INSERT INTO row_counts (name, id, total, deleted)
    VALUES (tg_table_name, gen_random_uuid(), additions, deletions);
  RETURN NULL;
END $keep$;`;

/** One row, which no trigger writes, gets the difference: this counts rows that existed before or were restored. */
const correctCounts = `CREATE FUNCTION correct_row_counts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $correct$
DECLARE
  place regclass := to_regclass(quote_ident(new.name));
  deleted_at text := (
    SELECT split_part(encode(tgargs, 'escape'), '\\000', 1) FROM pg_trigger
    WHERE tgrelid = place AND tgname = 'row_counts_deleted_insert'
  );
BEGIN
  IF place IS NULL THEN
    RETURN NULL;
  END IF;
  LOCK TABLE row_counts IN SHARE UPDATE EXCLUSIVE MODE;
  new.id := gen_random_uuid();
  EXECUTE format(
    'SELECT found.total - kept.total, found.deleted - kept.deleted
      FROM (SELECT count(*) AS total, count(%s) AS deleted FROM %s) AS found,
        (SELECT coalesce(sum(total), 0) AS total, coalesce(sum(deleted), 0) AS deleted
          FROM row_counts WHERE name = %L) AS kept',
    coalesce(quote_ident(deleted_at), 'NULL'), place, new.name) INTO new.total, new.deleted;
  RETURN new;
END $correct$;`;

/** The functions use the table in their own schema, whatever the search path of a session is. */
const searchPath = `DO $path$ BEGIN
  EXECUTE format('ALTER FUNCTION keep_row_counts() SET search_path = %I, pg_temp', current_schema());
  EXECUTE format('ALTER FUNCTION correct_row_counts() SET search_path = %I, pg_temp', current_schema());
END $path$;`;

const correct = `CREATE TRIGGER row_counts_correct BEFORE INSERT ON row_counts FOR EACH ROW
  WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION correct_row_counts();`;

export const countingInPostgres: Counting = {
  begin: [keepCountsSql, correctCounts, searchPath, correct],
  end: ['DROP FUNCTION keep_row_counts(), correct_row_counts();'],
  start: (table) =>
    postgresTriggers(table).map(({ name, event }) => `CREATE TRIGGER ${name} ${event}`),
  stop: (table) =>
    postgresTriggers(table).map(
      ({ name }) => `DROP TRIGGER ${name} ON ${identifierSql(table.name)};`,
    ),
  count: ({ name }) => `INSERT INTO ${rowCounts} (name) VALUES (${textSql(name)});`,
  followsNames: true,
};

function postgresTriggers({ name, counted }: Table) {
  const on = `ON ${identifierSql(name)}`;
  const whole = [
    trigger('insert', `AFTER INSERT ${on} REFERENCING NEW TABLE AS changed FOR EACH STATEMENT`),
    trigger('delete', `AFTER DELETE ${on} REFERENCING OLD TABLE AS changed FOR EACH STATEMENT`),
    trigger('truncate', `AFTER TRUNCATE ${on} FOR EACH STATEMENT`),
  ];
  const deletedAt = counted?.deletedAt;
  if (deletedAt === undefined) return whole;
  const column = identifierSql(deletedAt);
  const ofRow = (change: string, when: string) => {
    const event = `AFTER ${change.toUpperCase()} ${on} FOR EACH ROW WHEN (${when})`;
    return trigger(`deleted_${change}`, event, textSql(deletedAt));
  };
  return [
    ...whole,
    trigger('update', `AFTER UPDATE ${on} FOR EACH STATEMENT`),
    ofRow('insert', `new.${column} IS NOT NULL`),
    ofRow('delete', `old.${column} IS NOT NULL`),
    ofRow('update', `(old.${column} IS NULL) <> (new.${column} IS NULL)`),
  ];
}

function trigger(change: string, event: string, argument = '') {
  return {
    name: `row_counts_${change}`,
    event: `${event} EXECUTE FUNCTION keep_row_counts(${argument});`,
  };
}
