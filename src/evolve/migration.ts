/** A step of a project's history: the folder `migrations/<id>/`. */
export interface Migration {
  readonly id: string;
  readonly files: Files;
}

/** Without `down.sql` the step cannot be taken back but from a backup. */
interface Files {
  readonly 'up.sql': string;
  readonly 'down.sql'?: string;
  readonly 'meta.json': string;
}
