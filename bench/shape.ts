import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { emit } from '../test/support/emit.ts';
import { root } from '../test/support/root.ts';
import { report } from './report.ts';

/** Path → content, of `src` and `test`. */
type Project = ReadonlyMap<string, string>;

/** What an owner gets to own: files, lines, and how much of it a reader of one call meets. */
export function shape(): void {
  const blog = exampleProject('blog');
  const shop = exampleProject('shop');
  const minimal = project(readFileSync(join(root, 'fixtures/apps/minimal/schema.yaml'), 'utf8'));
  atMost('blog: files in src and test', blog.size, 90);
  atMost('blog: lines', linesOf(blog.keys(), blog), 6500);
  atMost('minimal: files in src and test', minimal.size, 75);
  atMost('minimal: lines', linesOf(minimal.keys(), minimal), 5500);
  const shared = 100 * sharedPart(blog, shop);
  const percent = `${shared.toFixed(0)} %`;
  report({
    name: 'src that is the same in the shop',
    found: percent,
    bar: '≤ 75 %',
    ok: shared <= 75,
  });
  const closure = closureOf('src/posts/routes.ts', blog);
  atMost('import closure of posts/routes.ts: files', closure.size, 22);
  atMost('the same: lines', linesOf(closure, blog), 1700);
  const runner = [...blog.keys()].filter((path) => path.startsWith('src/database/migrations/'));
  atMost('files of the migration runner', runner.length, 7);
  const circles = circlesIn(blog);
  atMost(`folders in a circle of imports ${circles.join(' ')}`.trimEnd(), circles.length, 0);
}

function atMost(name: string, found: number, bar: number): void {
  report({ name, found: String(found), bar: `≤ ${bar}`, ok: found <= bar });
}

function exampleProject(name: string): Project {
  return project(readFileSync(join(root, `templates/examples/${name}.yaml`), 'utf8'));
}

function project(schema: string): Project {
  const files = emit(schema).filter(({ path }) => /^(src|test)\//.test(path));
  return new Map(files.map(({ path, content }) => [path, content]));
}

function linesOf(paths: Iterable<string>, files: Project): number {
  return [...paths].reduce((sum, path) => sum + countLines(files.get(path) ?? ''), 0);
}

function countLines(content: string): number {
  return content.split('\n').length - 1;
}

/** By lines, of the files in `src` that are the same to the byte. */
function sharedPart(one: Project, other: Project): number {
  const source = [...one.keys()].filter((path) => path.startsWith('src/'));
  const same = source.filter((path) => one.get(path) === other.get(path));
  return linesOf(same, one) / linesOf(source, one);
}

/** All that is loaded with a file: types are no reason to load anything. */
function closureOf(entry: string, files: Project): ReadonlySet<string> {
  const closure = new Set([entry]);
  for (const path of closure) {
    for (const imported of importsOf(path, files)) closure.add(imported);
  }
  return closure;
}

function importsOf(path: string, files: Project): readonly string[] {
  const imports = (files.get(path) ?? '').matchAll(
    /^(?:import (?!type )|export (?!type )\{[^;]*? from |export \* from )[^;]*?'(\.[^']+)'/gm,
  );
  return [...imports]
    .map(([, specifier = '']) => posix.join(posix.dirname(path), specifier))
    .filter((imported) => files.has(imported));
}

/** Folders of `src` from which a way of imports leads back. */
function circlesIn(files: Project): readonly string[] {
  const edges = new Map<string, Set<string>>();
  for (const path of files.keys()) {
    const from = folderOf(path);
    if (from === undefined) continue;
    const to = edges.get(from) ?? new Set();
    edges.set(from, to);
    for (const imported of importsOf(path, files)) {
      const folder = folderOf(imported);
      if (folder !== undefined && folder !== from) to.add(folder);
    }
  }
  const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
    [...(edges.get(from) ?? [])].some((next) => {
      if (next === goal) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, goal, seen);
    });
  return [...edges.keys()].filter((folder) => reaches(folder, folder)).toSorted();
}

function folderOf(path: string): string | undefined {
  return /^src\/([\w-]+)\//.exec(path)?.[1];
}
