import type { Evolved } from '../migrate.ts';
import type { Warning } from '../warning.ts';
import type { Histories } from './join-heads.ts';

/** Migrations of the record that are gone, and nothing is in their place: the next one passes over what they did. */
export function tellGone(
  { migrations, recorded }: Pick<Histories, 'migrations' | 'recorded'>,
  { migration }: Evolved,
): readonly Warning[] {
  const last = migrations.at(-1)?.id ?? '';
  const replaced = migrations.flatMap(({ replaces }) => replaces);
  const gone = recorded.filter((id) => id > last && !replaced.includes(id));
  return gone.map((id) => ({
    code: 'SCF514',
    message: `\`migrations/${id}\` is gone, and \`${migration.id}\` does not do what it did: a new database would lack that.`,
    help: 'Take this run back with `scaffold regenerate --undo`, restore the folder from version control, and run it again. Where a migration of your own does the same, all is well.',
  }));
}
