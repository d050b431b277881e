import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { hanging } from './run.ts';

/** The token in the first mail to this address that lands in a folder of `.eml` files. */
export async function mailedToken(folder: string, address: string): Promise<string> {
  const [token = ''] = await mailedTokens(folder, address, 1);
  return token;
}

/** Those of so many mails to it. */
export async function mailedTokens(
  folder: string,
  address: string,
  count: number,
): Promise<readonly string[]> {
  const deadline = performance.now() + hanging;
  while (performance.now() < deadline) {
    const tokens: string[] = [];
    for (const name of await readdir(folder).catch(() => [])) {
      const mail = decode(await readFile(`${folder}/${name}`, 'utf8'));
      const token = /token=([\w-]{43})\b/.exec(mail)?.[1];
      if (token !== undefined && mail.includes(address)) tokens.push(token);
    }
    if (tokens.length >= count) return tokens;
    await sleep(100);
  }
  throw new Error(`Fewer than ${count} mails to ${address} in ${folder}.`);
}

/** Quoted-printable: soft line ends, and the `=` of a link. */
function decode(mail: string): string {
  return mail.replace(/=\r?\n/g, '').replaceAll('=3D', '=');
}
