import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { exportedNames, exportsMore, linksIn } from '../../src/merge/modules.ts';
import { goldenApps } from '../support/golden-apps.ts';

const modules = goldenApps
  .flatMap((app) => app.render())
  // That file writes a module, whose lines it has in a string.
  .filter(({ path, kind }) => kind === 'ts' && path !== 'scripts/client.ts');

test('in every module of the golden projects, a parser finds the same links', () => {
  expect(modules.length).toBeGreaterThan(500);
  for (const { path, content } of modules) {
    const { staticImports, staticExports } = parseSync(path, content).module;
    const imported = staticImports.map((it) => it.moduleRequest.start);
    const entries = staticExports.flatMap((it) => it.entries);
    const links = [
      ...staticImports.map((it) => ({ from: it.moduleRequest, entries: it.entries })),
      // What is imported and exported is also listed as if it came from there.
      ...entries.flatMap((it) =>
        it.moduleRequest && !imported.includes(it.moduleRequest.start)
          ? [{ from: it.moduleRequest, entries: [it] }]
          : [],
      ),
    ];
    const parsed = [
      ...links.map(({ from: { value, start } }) => `${start} ${value}`),
      ...links.flatMap((it) =>
        it.entries.flatMap(({ importName: { name, start } }) => (name ? `${start} ${name}` : [])),
      ),
    ];
    const read = linksIn(content).flatMap(({ specifier, at, names }) => [
      `${at} ${specifier}`,
      ...names.map((it) => `${it.at} ${it.name}`),
    ]);
    expect.soft([path, ...read.toSorted()]).toEqual([path, ...new Set(parsed.toSorted())]);
    const exported = entries.flatMap(({ exportName }) => exportName.name ?? []);
    expect.soft([path, ...exportedNames(content)]).toEqual([path, ...new Set(exported)]);
  }
});

test.each<[string, string, readonly string[]]>([
  ['a byte order mark before it', `\uFEFFimport { find } from './rows.ts';`, ['find']],
  [
    'types and other names',
    `import type { Row } from 'x';\nimport { type A as B, b } from 'y';`,
    ['Row', 'A', 'b'],
  ],
  ['names of any script', `import { größe, 名前 as name } from './rows.ts';`, ['größe', '名前']],
  [
    'comments between them',
    `import {\n  a, // not b,\n  /* c, */ d,\n} from './rows.ts';`,
    ['a', 'd'],
  ],
  ['a default beside them', `import all, { one } from './rows.ts';`, ['one']],
  ['a module as a whole', `import * as all from './rows.ts';\nimport './more.ts';`, []],
  ['names that are passed on', `export { a as b } from './rows.ts';`, ['a']],
])('names are read from an import: %s', (_, text, names) => {
  expect(
    linksIn(text).flatMap((it) => it.names.map(({ name, at }) => text.slice(at, at + name.length))),
  ).toEqual(names);
  expect(linksIn(text).every(({ specifier, at }) => text.slice(at + 1).startsWith(specifier))).toBe(
    true,
  );
});

test('an export is known by the name that others see', () => {
  const text = `\uFEFFexport async function find() {}\nexport { a, b as größe };\nexport declare class Row {}\nexport type { T };`;
  expect([...exportedNames(text)]).toEqual(['find', 'a', 'größe', 'Row', 'T']);
  expect(exportsMore(text)).toBe(false);
});
