import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { ConfigError, loadConfig, readEnvironment } from '../src/config.ts';

/** The URL of the database, from the settings. No token is signed here, so no secret is needed. */
export function readDatabaseUrl(): string {
  const secret = randomBytes(64).toString('hex');
  try {
    return loadConfig({ ...readEnvironment(), AUTH_SECRET_KEY: secret }).databaseUrl;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** Whether the host of the URL is this machine. */
export function isLocal(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);
}

/** Whether anything listens at the host and port of the URL. */
export async function isAnswering(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port || 5432), hostname.replace(/^\[|\]$/g, ''));
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
