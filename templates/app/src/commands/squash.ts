import { squashMigrations } from '../database/migrations/squash.ts';
import { print, readOptions, runCommand } from './command.ts';

await runCommand(async () => {
  readOptions('npm run db:squash', {});
  const { id, removed, own, edited } = squashMigrations();
  print(`migrations/${id} makes the whole database now, and stands for ${removed.join(', ')}.`);
  if (own.length > 0) print(`It ends with the SQL of ${own.join(', ')}: see that it still fits.`);
  if (edited.length > 0) {
    print(`What you had written into ${edited.join(', ')} beside the tables is not in it.`);
  }
  print('Apply it to an empty database before you commit it: `npm test` does.');
});
