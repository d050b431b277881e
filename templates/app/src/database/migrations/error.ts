/** A migration that cannot be applied; the database is as it was. The message is for the person who runs it. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}
