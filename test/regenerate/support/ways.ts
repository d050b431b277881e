import { posix } from 'node:path';
import { format } from 'prettier';
import { library, renamedBook, withMagazine, withSubtitle } from '../../project/support/schemas.ts';
import type { Tree } from './edit.ts';
import { moveCode } from './move-code.ts';
import type { Operation } from './operations.ts';
import { readCase } from './read-case.ts';

export const isCode = (path: string) => /^(?:src|test)\/.*\.ts$/.test(path);

export function rewrite(tree: Tree, change: (text: string, path: string) => string): void {
  for (const path of tree.paths().filter(isCode)) {
    const text = tree.read(path);
    const after = change(text, path);
    if (after !== text) tree.write(path, after);
  }
}

/** What people do with a project that is theirs; none of it changes what it does. */
export const ways: Readonly<Record<string, (tree: Tree) => void | Promise<void>>> = {
  'a folder moved': (tree) => moveCode(tree, { 'src/books/': 'src/modules/books/' }),
  'a shared folder moved': (tree) => moveCode(tree, { 'src/lib/': 'src/core/' }),
  aliases: (tree) => {
    const text = tree.read('package.json');
    const table = '"imports": { "#app/*": "./src/*" },';
    tree.write('package.json', text.replace('"private": true,', `"private": true,\n  ${table}`));
    rewrite(tree, (code, path) =>
      code.replace(/'(\.\.\/[^'\n]+\.ts)'/g, (whole, specifier: string) => {
        const target = posix.join(posix.dirname(path), specifier);
        return target.startsWith('src/') ? `'#app/${target.slice(4)}'` : whole;
      }),
    );
  },
  'aliases of the compiler': (tree) => {
    const text = tree.read('tsconfig.json');
    const table = '"paths": { "@/*": ["./src/*"] },';
    tree.write(
      'tsconfig.json',
      text.replace('"compilerOptions": {', `"compilerOptions": {\n    ${table}`),
    );
    rewrite(tree, (code, path) =>
      code.replace(/'(\.\.\/[^'\n]+\.ts)'/g, (whole, specifier: string) => {
        const target = posix.join(posix.dirname(path), specifier);
        return target.startsWith('src/database/') ? `'@/${target.slice(4)}'` : whole;
      }),
    );
  },
  'several barrels': (tree) => {
    for (const folder of ['src/books', 'src/users']) {
      if (!tree.paths().includes(`${folder}/queries.ts`)) continue;
      tree.write(
        `${folder}/index.ts`,
        ['policy', 'queries', 'schema'].map((name) => `export * from './${name}.ts';\n`).join(''),
      );
    }
    rewrite(tree, (code, path) =>
      code.replace(/'(\.\.?\/[^'\n]*)(queries|schema|policy)\.ts'/g, (whole, way: string) => {
        const folder = posix.join(posix.dirname(path), way);
        const isInside = posix.dirname(path) === folder.replace(/\/$/, '');
        return !isInside && tree.paths().includes(`${folder}index.ts`) ? `'${way}index.ts'` : whole;
      }),
    );
  },
  'a file folded into another': (tree) => {
    const [from, into] = ['src/shelves/policy.ts', 'src/shelves/queries.ts'];
    const [rules, queries] = [tree.read(from), tree.read(into)];
    tree.remove(from);
    const imports = /^import (?:[^;]*)\bfrom '([^']*)';\n/gm;
    const isThere = (line: string, module: string) =>
      line.includes('shelves }') || queries.includes(`'${module}'`);
    const needed = [...rules.matchAll(imports)].filter(
      ([line, module = '']) => !isThere(line, module),
    );
    const head = needed.map(([line]) => line).join('');
    const body = rules.replace(imports, '').trim();
    tree.write(into, `${head}${queries.replace(/^import \{ shelfPolicy \}.*\n/m, '')}\n${body}\n`);
    rewrite(tree, (code) => code.replace(/shelves\/policy\.ts'/g, "shelves/queries.ts'"));
    rewrite(tree, (code, path) =>
      path.startsWith('src/shelves/') ? code.replace("'./policy.ts'", "'./queries.ts'") : code,
    );
  },
  'a registration moved': (tree) => {
    const line = /^  await app\.register\(bookRoutes, .*\n/m;
    const routes = tree.read('src/routes.ts');
    const [moved = ''] = line.exec(routes) ?? [];
    const [imported = ''] = /^import \{ bookRoutes \} .*\n/m.exec(routes) ?? [];
    if (moved === '' || imported === '') return;
    tree.write('src/routes.ts', routes.replace(moved, '').replace(imported, ''));
    const app = tree.read('src/app.ts');
    tree.write('src/app.ts', `${imported}${app.replace('  addHealth(app);\n', `${moved}$&`)}`);
  },
  'a barrel': (tree) => {
    tree.write('src/shelves/index.ts', "export * from './queries.ts';\n");
    rewrite(tree, (code, path) =>
      path === 'src/shelves/routes.ts' ? code.replace("'./queries.ts'", "'./index.ts'") : code,
    );
  },
  'a renamed export': (tree) =>
    rewrite(tree, (code) =>
      code.replace(/(?<![\w$.'/#])shelfPolicy(?![\w$'/])/g, 'rulesOfShelves'),
    ),
  'a loop of registrations': (tree) =>
    rewrite(tree, (code, path) => {
      if (path !== 'src/routes.ts') return code;
      const found = [
        ...code.matchAll(/ {2}await app\.register\((\w+), \{ prefix: ('[^']*') \}\);\n/g),
      ];
      const rows = found.map(([, routes, prefix]) => `[${routes}, ${prefix}]`).join(', ');
      const loop = `  const all = [${rows}] as const;\n  for (const [routes, prefix] of all) await app.register(routes, { prefix });\n`;
      return code.replace(found.map(([whole]) => whole).join(''), loop);
    }),
  'code of ones own': (tree) =>
    tree.write(
      'src/reports/longest.ts',
      [
        `import type { Book } from '${tree.paths().includes('src/books/schema.ts') ? '../books' : '../modules/books'}/schema.ts';`,
        'export function longestTitle(rows: readonly Book[]): string {',
        '  return rows.map((book) => book.title).toSorted()[0] ?? "there is none";',
        '}',
        'export const isOpen = (shelf: { readonly state: string }) => shelf.state === "open";',
        '',
      ].join('\n'),
    ),
  'an edit in a shared function': (tree) =>
    rewrite(tree, (code) =>
      code.replace('?? match?.[2] ?? address', '?? match?.[2] ?? ofOurs(address)'),
    ),
  'an edit in a small shared file': (tree) =>
    rewrite(tree, (code) => code.replace("hash('sha1',", "hash(ofOurs('sha1'),")),
  // The last: the others look for what was made.
  'another layout': async (tree) => {
    const settings = { semi: false, useTabs: true, printWidth: 140 };
    tree.write('.prettierrc.json', JSON.stringify(settings));
    for (const path of tree.paths().filter(isCode))
      tree.write(path, await format(tree.read(path), { ...settings, filepath: path }));
  },
};

/** A schema, and what an earlier version of scaffold had made differently. */
export interface Change {
  readonly schema: string;
  readonly older?: readonly Operation[];
  /** What is done to the schema once it has values of an enum. */
  readonly later?: (schema: string) => string;
  /** Whether a name means something else afterwards. */
  readonly isSwap?: boolean;
}

/** With values of an enum, which lines of the owner's mention. */
function withState(schema: string): string {
  return schema
    .replace('models:', 'enums:\n  State: [open, done]\nmodels:')
    .replace('label: string(1..40)', 'label: string(1..40)\n      state: State = open');
}

export const start = withState(library);

export const changes: Readonly<Record<string, Change>> = {
  'a field more': { schema: withSubtitle },
  'a model more': { schema: withMagazine },
  'a model renamed': { schema: renamedBook },
  'two models swapped': {
    isSwap: true,
    schema: library
      .replace('  Book:\n', '  Other:\n    was: Book\n')
      .replace('  Shelf:\n', '  Book:\n    was: Shelf\n')
      .replace('  Other:\n', '  Shelf:\n'),
  },
  'two values swapped': {
    isSwap: true,
    schema: library,
    later: (schema) =>
      schema
        .replace('[open, done]', '[{ value: done, was: open }, { value: open, was: done }]')
        .replace('State = open', 'State = done'),
  },
  'two fields swapped': {
    isSwap: true,
    schema: library
      .replace('title: string(1..100)', 'blurb: { type: string(1..100), was: title }')
      .replace('pages: int?', 'title: { type: int?, was: pages }'),
  },
  'a relation more': {
    schema: library.replace(
      'label: string(1..40)',
      'label: string(1..40)\n    relations:\n      book: Book',
    ),
  },
  'soft deletion': {
    schema: library.replace('label: string(1..40)', 'label: string(1..40)\n    soft_delete: true'),
  },
  'a version that moves a function': {
    schema: withSubtitle,
    older: readCase('a-newer-generator-moves-an-edited-function').older,
  },
  'a version that folds a file into another': {
    schema: withSubtitle,
    older: readCase('a-newer-generator-folds-an-edited-file').older,
  },
  'a version that calls a file otherwise': {
    schema: withSubtitle,
    older: readCase('a-newer-generator-renamed-an-edited-file').older,
  },
};

/** The schema of a project after a change. */
export function schemaAfter({ schema, later = (text) => text }: Change): string {
  return later(withState(schema));
}
