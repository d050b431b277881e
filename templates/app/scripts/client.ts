import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { format, resolveConfig } from 'prettier';

// Writes a client of this server from `openapi.json`: one file of TypeScript that depends on nothing, for browsers, Node.js
// and apps. The program that makes its types is fetched when it is asked for.
const target = process.argv[2] ?? 'client/api.ts';
const generator = ['--package=openapi-typescript@~7.13.0', '--package=typescript@~5.9.0'];

const runtime = await readFile('scripts/client-runtime.ts', 'utf8');
const document: OpenApi = JSON.parse(await readFile('openapi.json', 'utf8'));
const text = `// Made by \`npm run client\` from the OpenAPI document of the server: the next run replaces it.
${typesOf('openapi.json')}
export type Schemas = components['schemas'];

export type Api = ApiOf<operations>;

export const createClient = (options: ApiOptions): Api => createApi<operations>(calls, options);

const calls = ${JSON.stringify(callsOf(document))};

${runtime}`;
await mkdir(dirname(target), { recursive: true });
const style = await resolveConfig(target);
await writeFile(target, await format(text, { ...style, parser: 'typescript' }));
process.stdout.write(`Wrote ${target}.\n`);

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly in: string }[];
  readonly requestBody?: { readonly content: object };
  readonly security?: readonly object[];
}

function typesOf(file: string): string {
  const args = ['--yes', ...generator, 'openapi-typescript', file, '--default-non-nullable=false'];
  const { status, stdout } = spawnSync('npx', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status === 0) return stdout;
  process.stderr.write('The types were not made: npx runs openapi-typescript, and needs npm.\n');
  process.exit(1);
}

/** What the client has to know of each call when it runs. */
function callsOf({ paths }: OpenApi) {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters, requestBody, security }]) => {
      const has = (place: string) => parameters?.some((it) => it.in === place) === true;
      const takes = [
        ...(has('path') ? ['path'] : []),
        ...(requestBody && 'application/json' in requestBody.content ? ['body'] : []),
        ...(has('query') ? ['query'] : []),
      ];
      const isPublic = security?.length === 0;
      return [operationId, { method: method.toUpperCase(), path, takes, isPublic }];
    }),
  );
  return Object.fromEntries(calls);
}
