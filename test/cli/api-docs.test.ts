import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../support/root.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const engines = ['sqlite', 'postgres'] as const;

/** The blog, and what it lacks: members, rules of single fields, and writes that check the order of two fields. */
function sourcesOf(engine: string): string {
  const folder = join(root, 'fixtures/apps/blog', engine, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
  const everyType = join(root, 'fixtures/apps/every-type', engine, 'src/lib/write.ts');
  const others = ['members', 'checks', 'resource'].map((name) =>
    join(root, `templates/app/src/lib/${name}.ts.hbs`),
  );
  return [...files, ...others, everyType].map((file) => readFileSync(file, 'utf8')).join('\n');
}

/** First cells of the rows of all tables below a heading. */
function rowsBelow(page: string, heading: string): readonly (readonly string[])[] {
  const [, section = ''] =
    new RegExp(`^## ${heading}$([^]*?)(?=^## |(?![^]))`, 'm').exec(page) ?? [];
  return section
    .split('\n')
    .filter((line) => /^\|(?! ?-)/.test(line))
    .slice(1)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const codesIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, status = '', code = '']) => `${status} ${code}`);

describe.each(engines)('docs/api-errors.md has every problem of the server on %s', (engine) => {
  const source = sourcesOf(engine);
  const page = read('docs/api-errors.md');

  test('with its status', () => {
    const thrown = new Set([
      ...codesIn(source, /new Problem\(\s*(\d{3}),\s*'([a-z_]+)'/g),
      ...codesIn(source, /\[(\d{3}), '([a-z_]+)', '/g),
      // Of requests that are not read: `src/lib/problem.ts`.
      ...codesIn(source, /^ {2}(400|408|414|431): '([a-z_]+)',$/gm),
      ...codesIn(source, /unready(\()'([a-z_]+)'/g).map((it) => it.replace('(', '503')),
      ...codesIn(source, /badRequest(\()'([a-z_]+)'/g).map((it) => it.replace('(', '400')),
      // Those of mailed tokens are in a table of their own.
      ...codesIn(source, /\w+: ()'(invalid_\w+_token)'/g).map((it) => `400${it}`),
    ]);
    const documented = codesIn(page, /^\| +(\d{3}) \| `([a-z_]+)`/gm);
    expect(documented.toSorted()).toEqual([...thrown].toSorted());
    expect(documented.length).toBeGreaterThan(20);
  });

  test('which the OpenAPI document lists, except for a wrong method and for members, which a blog lacks', () => {
    const blog = `fixtures/apps/blog/${engine}/src`;
    const [, ofStatuses = ''] = read(`${blog}/lib/problem.ts`).split('const codes');
    const listed = [
      ...ofStatuses.matchAll(/'([a-z_]+)'/g),
      ...read(`${blog}/plugins/health.ts`).matchAll(/`([a-z_]+)`/g),
    ].map(([, code]) => code);
    const documented = [...page.matchAll(/^\| +\d{3} \| `([a-z_]+)`/gm)].map(([, code]) => code);
    const missing = documented.filter((code) => !listed.includes(code));
    expect(missing).toEqual(['method_not_allowed', 'last_member']);
  });

  test('and every code of a wrong value', () => {
    const told = new Set(
      [
        ...source.matchAll(/complain\(\s*'([a-z_]+)'/g),
        ...source.matchAll(/about\([^)]*\)\('([a-z_]+)'/g),
        ...source.matchAll(
          /(?:bodyFault|queryFault)\(\s*(?:'\w*'|\w+(?: \?\? \w+)?),\s*'([a-z_]+)'/g,
        ),
        ...source.matchAll(/\bcode: '([a-z_]+)', msg/g),
        ...source.matchAll(/\brequired: '([a-z_]+)'/g),
      ].map(([, code]) => code),
    );
    const documented = rowsBelow(page, 'validation_error').flatMap(([codes = '']) =>
      [...codes.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code),
    );
    const keywords = ['type', 'format', 'pattern', 'enum', 'minimum', 'maximum'];
    expect(documented.filter((code) => !keywords.includes(code ?? '')).toSorted()).toEqual(
      [...told].toSorted(),
    );
  });
});

test('docs/guide.md has every setting of either engine, and no other', () => {
  const settings = engines.flatMap((engine) => {
    const example = read(`fixtures/apps/blog/${engine}/.env.example`);
    return [...example.matchAll(/^(?:# )?([A-Z][A-Z_]+)=/gm)].map(([, name]) => name);
  });
  expect(documented.map(([name]) => name).toSorted()).toEqual(
    [...new Set(['NODE_ENV', ...settings])].toSorted(),
  );
});

test('the settings have the defaults that docs/guide.md says', () => {
  const source = engines.map((it) => read(`fixtures/apps/blog/${it}/src/config.ts`)).join('');
  const plain = documented.filter(([, value]) => /^(\d+|on|off|HS\d+)$/.test(value));
  const wrong = plain.filter(([name, value]) => {
    const found = [...source.matchAll(new RegExp(`read\\('${name}', .*, '?(\\w+)'?\\)`, 'g'))];
    const values = found.map(([, it = '']) => switches[it] ?? it.replaceAll('_', ''));
    return values.length === 0 || values.some((it) => it !== value);
  });
  expect(wrong).toEqual([]);
  expect(plain.length).toBeGreaterThan(12);
});

const switches: Readonly<Record<string, string>> = { true: 'on', false: 'off' };

/** Names and defaults, as docs/guide.md has them. */
const documented = rowsBelow(read('docs/guide.md'), 'Settings').map(
  ([name = '', , value = '']) => [name.replaceAll('`', ''), value.replaceAll('`', '')] as const,
);
