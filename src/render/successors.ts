/**
 * By the version that removed a template: its source path and those of the templates with its content now, if any. A
 * path that ends with `/` stands for a folder. The owner's edits of such a file are carried over, or shown in a
 * conflict that names the new file. `test/regenerate/upgrade.test.ts` names every removed template without a row.
 */
export type Successors = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

const successors: Successors = {
  '0.2.0': {
    'src/auth/change-password.ts': ['src/auth/account.ts'],
    'src/auth/current-user.ts': ['src/plugins/authentication.ts'],
    'src/auth/letters.ts': ['src/emails.ts'],
    'src/auth/mail.ts': ['src/mail/mailer.ts'],
    'src/auth/operations.ts': ['src/auth/schema.ts'],
    'src/auth/outbox.ts': ['src/mail/outbox.ts'],
    'src/auth/reset.ts': ['src/auth/account.ts'],
    'src/auth/sweep.ts': ['src/auth/clean-up.ts'],
    'src/auth/tokens.ts': ['src/auth/sessions.ts'],
    'src/commands/': ['src/cli.ts'],
    'src/commands/copy.ts': ['scripts/copy.ts'],
    'src/lib/bounded-cache.ts': ['src/database/slot.ts'],
    'src/database/samples.ts': ['src/database/seed.ts'],
    'src/database/samples/': ['src/database/draw.ts'],
    'src/lib/dialect.ts': ['src/database/dialect.ts'],
    'src/lib/list/read-page.ts': ['src/lib/list/list-statement.ts'],
    'src/lib/list/comparison.ts': ['src/lib/list/filter.ts'],
    'src/lib/list/cursor.ts': ['src/lib/list/page.ts'],
    'src/lib/list/order.ts': ['src/lib/list/plan.ts'],
    'src/lib/list/parameters.ts': ['src/lib/list/query-string.ts'],
    'src/lib/list/parse-term.ts': ['src/lib/list/parse-filter.ts'],
    'src/lib/sql/related.ts': ['src/lib/sql.ts'],
    'src/lib/operations/answers.ts': ['src/lib/operations.ts'],
    'src/lib/operations/list-parameters.ts': ['src/lib/operations.ts'],
    'src/lib/operations/problems.ts': ['src/lib/problem.ts'],
    'src/lib/ids.ts': ['src/lib/request.ts', 'src/database/values.ts'],
    'src/lib/list/keyset.ts': ['src/lib/list/list-statement.ts', 'src/lib/list/page.ts'],
    'src/lib/list/operators.ts': ['src/lib/list/filter.ts'],
    'src/lib/list/parse-list.ts': ['src/lib/list/plan.ts'],
    'src/lib/nearest.ts': ['src/lib/path.ts'],
    'src/lib/sql/': ['src/lib/sql.ts'],
    'src/lib/rows/': ['src/model/queries.ts', 'src/lib/rows.ts'],
    'src/lib/rows/write.ts': ['src/lib/write.ts'],
    'src/lib/rules.ts': ['src/lib/access.ts'],
    'src/lib/sql/conditions.ts': ['src/lib/sql.ts', 'src/model/policy.ts'],
    'src/lib/sql/execute.ts': ['src/database/slot.ts'],
    'src/lib/sql/sql.ts': ['src/lib/sql.ts'],
    'src/lib/sql/statement.ts': ['src/database/slot.ts'],
    'src/lib/statement-memory.ts': ['src/database/slot.ts'],
    'src/lib/values.ts': ['src/database/values.ts'],
    'src/plugins/log-output.ts': ['src/plugins/logging.ts'],
    'src/plugins/openapi-document.ts': ['src/plugins/openapi.ts'],
    'test/auth/me.test.ts': ['test/auth/account.test.ts'],
    'test/auth/refresh.test.ts': ['test/auth/login.test.ts'],
    'test/auth/register.test.ts': ['test/auth/account.test.ts'],
    'test/auth/reset.test.ts': ['test/auth/account.test.ts'],
    'test/behaviours/': ['test/model.test.ts', 'test/promises.ts'],
    'test/document.ts': ['test/client.ts'],
    'test/openapi.test.ts': ['test/server.test.ts'],
  },
  '0.3.0': {
    'src/auth/passwords.ts': ['src/auth/login.ts'],
    'src/database/column-values.ts': ['src/database/slot.ts'],
    'src/database/costly-reads.ts': ['src/database/queue.ts'],
    'src/database/errors.ts': ['src/database/dialect.ts'],
    'src/database/functions.ts': ['src/database/file.ts'],
    'src/database/inspect.ts': ['src/database/migrate.ts'],
    'src/database/older-sqlite.ts': ['src/database/driver.ts'],
    'src/database/reader-process.ts': ['src/database/sqlite-driver.ts'],
    'src/database/reader-processes.ts': ['src/database/sqlite-driver.ts'],
    'src/database/seeding.ts': ['src/database/draw.ts'],
    'src/database/with-client.ts': ['src/database/postgres-driver.ts'],
    'src/lib/address.ts': ['src/lib/request.ts'],
    'src/lib/etag.ts': ['src/lib/request.ts'],
    'src/lib/list/cost.ts': ['src/lib/list.ts'],
    'src/lib/list/list-statement.ts': ['src/lib/list/statement.ts'],
    'src/lib/list/parse-filter.ts': ['src/lib/list/query-string.ts'],
    'src/lib/path.ts': ['src/lib/resource.ts', 'src/lib/unknown-name.ts'],
    'src/lib/selection.ts': ['src/lib/resource.ts'],
    'src/mail/mailer.ts': ['src/mail/outbox.ts'],
    'src/pages/development.ts': ['src/pages/routes.ts'],
    'src/plugins/health.ts': ['src/plugins/telemetry.ts'],
    'test/client.ts': ['test/app.ts'],
    'test/database.test.ts': ['test/server.test.ts'],
    'test/mail/outbox.test.ts': ['test/mail.test.ts'],
    'test/pages.test.ts': ['test/mail.test.ts'],
  },
  '0.5.0': {
    'src/auth/create-user.ts': ['src/create-user.ts'],
    'src/plugins/readable-log.ts': [],
    'src/plugins/telemetry.ts': ['src/plugins/health.ts'],
    'src/database/draw.ts': ['seeds/draw.ts'],
    'src/database/driver.ts': ['migrations/migrate.js'],
    'src/database/seed.ts': ['seeds/seed.ts'],
    'src/database/migrations/': ['migrations/migrate.js'],
  },
  '0.6.0': {
    'seeds/moments.ts': ['seeds/draw.ts'],
    'seeds/stories.ts': ['seeds/draw.ts'],
    'seeds/words.ts': ['seeds/seed.ts'],
    // Still made if a schema has such ids.
    'src/database/uuid.ts': [],
    'src/database/time-limit.ts': ['src/database/file.ts'],
    'src/lib/ask.ts': ['src/lib/evaluate.ts'],
    'src/lib/taken.ts': ['src/lib/checks.ts'],
    'test/auth/takeover.test.ts': ['test/auth/email-change.test.ts'],
  },
};

export interface Succession {
  /** The version that removed the template. */
  readonly since: string;
  /** Source paths of existing templates. */
  readonly successors: readonly string[];
}

/** Follows successors that were removed too. Undefined if there is no row. */
export function findSuccession(
  source: string,
  isMade: (source: string) => boolean,
  table: Successors = successors,
): Succession | undefined {
  for (const [since, rows] of Object.entries(table)) {
    const row = rows[source] ?? rows[findFolderRow(source, rows) ?? ''];
    if (row === undefined) continue;
    const found = row.flatMap((it) =>
      isMade(it) || it === source ? it : (findSuccession(it, isMade, table)?.successors ?? []),
    );
    return { since, successors: [...new Set(found)] };
  }
  return undefined;
}

/** The longest path of a folder in `rows` that contains a source path. */
function findFolderRow(
  source: string,
  rows: Readonly<Record<string, unknown>>,
): string | undefined {
  return Object.keys(rows)
    .filter((path) => path.endsWith('/') && source.startsWith(path))
    .toSorted((left, right) => right.length - left.length)[0];
}
