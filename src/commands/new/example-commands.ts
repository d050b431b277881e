import { shell } from '../../render/helpers.ts';
import type { ExampleCall } from '../../render/views/example-call.ts';

/** The call as commands to paste; they need nothing but curl and the Node that is there already. */
export function exampleCommands(url: string, call: ExampleCall): string[] {
  const { email, password, registration, list } = call;
  const token = `node -p 'JSON.parse(fs.readFileSync(0)).access_token'`;
  return [
    `curl -sw '\\n' ${url}/auth/register -H 'content-type: application/json' -d ${shell(JSON.stringify(registration))}`,
    `TOKEN=$(curl -s ${url}/auth/token -d username=${email} -d password=${password} | ${token})`,
    `curl -sw '\\n' ${url}${list} -H "Authorization: Bearer $TOKEN"`,
  ];
}
