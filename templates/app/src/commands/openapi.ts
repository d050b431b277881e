import { writeFile } from 'node:fs/promises';
import { buildApp } from '../app.ts';
import { loadConfig, readEnvironment } from '../config.ts';
import { print, readOptions, runCommand, withConnection } from './command.ts';

await runCommand(async () => {
  readOptions('npm run openapi', {});
  const config = loadConfig(readEnvironment());
  await withConnection(config.databaseUrl, async (connection) => {
    const app = await buildApp({ config, connection });
    await writeFile('openapi.json', `${JSON.stringify(app.swagger(), null, 2)}\n`);
    await app.close();
  });
  print('Wrote openapi.json.');
});
