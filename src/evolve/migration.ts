/** A step of a project's history: the folder `migrations/<id>/`. */
export interface Migration {
  readonly id: string;
  readonly files: Readonly<Record<'up.sql' | 'down.sql' | 'meta.json', string>>;
}
