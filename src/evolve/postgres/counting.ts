import { rowCounts } from '../../schema/internal-tables.ts';
import type { Counting } from '../dialect.ts';
import { identifierSql } from '../sql/sql-text.ts';
import { textSql } from '../../types/sql.ts';
import type { Table } from '../tables/table.ts';

/**
 * Each statement appends what it has added or taken, in its own transaction, so that the sum is exact in every snapshot
 * and no two writers wait for each other. One write in a hundred makes one row of those that nobody else is at: none of
 * a long transaction, which would find all of its own again each time.
 */
const keepCounts = `CREATE FUNCTION keep_row_counts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $keep$
DECLARE
  sign bigint := CASE tg_op WHEN 'DELETE' THEN -1 ELSE 1 END;
BEGIN
  IF tg_op = 'TRUNCATE' THEN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
      RAISE EXCEPTION 'truncate % in a transaction that is read committed', tg_table_name;
    END IF;
    DELETE FROM row_counts WHERE name = tg_table_name;
  ELSIF tg_op = 'UPDATE' THEN
    INSERT INTO row_counts (name, id, total, deleted)
      VALUES (tg_table_name, gen_random_uuid(), 0, CASE WHEN new.deleted_at IS NULL THEN -1 ELSE 1 END);
  ELSIF tg_argv[0] = 'with deleted' THEN
    INSERT INTO row_counts (name, id, total, deleted)
      SELECT tg_table_name, gen_random_uuid(), sign * count(*), sign * count(deleted_at)
      FROM changed HAVING count(*) > 0;
  ELSE
    INSERT INTO row_counts (name, id, total, deleted)
      SELECT tg_table_name, gen_random_uuid(), sign * count(*), 0 FROM changed HAVING count(*) > 0;
  END IF;
  IF random() < 0.01 AND clock_timestamp() < now() + '50 ms'
    AND current_setting('transaction_isolation') = 'read committed' THEN
    WITH gone AS (
      DELETE FROM row_counts WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM row_counts WHERE name = tg_table_name LIMIT 5000 FOR UPDATE SKIP LOCKED
      )) RETURNING total, deleted
    )
    INSERT INTO row_counts (name, id, total, deleted)
      SELECT tg_table_name, gen_random_uuid(), sum(total), sum(deleted) FROM gone HAVING count(*) > 0;
  END IF;
  RETURN NULL;
END $keep$;`;

/** A row that no trigger writes becomes what is missing: so rows are counted that were there before, or restored. */
const correctCounts = `CREATE FUNCTION correct_row_counts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $correct$
DECLARE
  place regclass := to_regclass(quote_ident(new.name));
  deleted_at text := '0';
BEGIN
  IF place IS NULL THEN
    RETURN NULL;
  END IF;
  IF EXISTS (SELECT FROM pg_trigger WHERE tgrelid = place AND tgname = 'row_counts_update') THEN
    deleted_at := 'count(deleted_at)';
  END IF;
  LOCK TABLE row_counts IN SHARE UPDATE EXCLUSIVE MODE;
  new.id := gen_random_uuid();
  EXECUTE format(
    'SELECT found.total - kept.total, found.deleted - kept.deleted
      FROM (SELECT count(*) AS total, %s AS deleted FROM %s) AS found,
        (SELECT coalesce(sum(total), 0) AS total, coalesce(sum(deleted), 0) AS deleted
          FROM row_counts WHERE name = %L) AS kept', deleted_at, place, new.name) INTO new.total, new.deleted;
  RETURN new;
END $correct$;`;

/** Whoever writes, and whatever the search path of their session is, means the table beside the functions. */
const searchPath = `DO $path$ BEGIN
  EXECUTE format('ALTER FUNCTION keep_row_counts() SET search_path = %I, pg_temp', current_schema());
  EXECUTE format('ALTER FUNCTION correct_row_counts() SET search_path = %I, pg_temp', current_schema());
END $path$;`;

const correct = `CREATE TRIGGER row_counts_correct BEFORE INSERT ON row_counts FOR EACH ROW
  WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION correct_row_counts();`;

const changes = [
  { name: 'row_counts_insert', after: 'INSERT', changed: ' REFERENCING NEW TABLE AS changed' },
  { name: 'row_counts_delete', after: 'DELETE', changed: ' REFERENCING OLD TABLE AS changed' },
  { name: 'row_counts_truncate', after: 'TRUNCATE', changed: '' },
] as const;

const update = 'row_counts_update';

export const countingInPostgres: Counting = {
  begin: [keepCounts, correctCounts, searchPath, correct],
  end: ['DROP FUNCTION keep_row_counts(), correct_row_counts();'],
  start(table) {
    const on = `ON ${identifierSql(table.name)}`;
    const words = table.counted === 'with deleted' ? "'with deleted'" : '';
    const run = `EXECUTE FUNCTION keep_row_counts(${words});`;
    const triggers = changes.map(
      ({ name, after, changed }) =>
        `CREATE TRIGGER ${name} AFTER ${after} ${on}${changed} FOR EACH STATEMENT ${run}`,
    );
    if (table.counted === 'all') return triggers;
    const when = 'WHEN ((old.deleted_at IS NULL) <> (new.deleted_at IS NULL))';
    return [
      ...triggers,
      `CREATE TRIGGER ${update} AFTER UPDATE ${on} FOR EACH ROW\n  ${when} ${run}`,
    ];
  },
  stop: (table) =>
    namesOf(table).map((name) => `DROP TRIGGER ${name} ON ${identifierSql(table.name)};`),
  count: ({ name }) => `INSERT INTO ${rowCounts} (name) VALUES (${textSql(name)});`,
  followsNames: true,
};

function namesOf({ counted }: Table): readonly string[] {
  return [...changes.map(({ name }) => name), ...(counted === 'with deleted' ? [update] : [])];
}
