import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { emit } from '../test/support/emit.ts';
import { root } from '../test/support/root.ts';
import { report } from './report.ts';

/** Path → content, of `src` and `test`. */
type Project = ReadonlyMap<string, string>;

/** What an owner gets to own: its lines, its files, and how much of it a reader of one call meets. */
export function shape(): void {
  const blog = project(readFileSync(join(root, 'templates/examples/blog.yaml'), 'utf8'));
  const minimal = project(readFileSync(join(root, 'fixtures/apps/minimal/schema.yaml'), 'utf8'));
  const source = [...blog.keys()].filter((path) => path.startsWith('src/'));
  atMost('blog: lines of src', linesOf(source, blog), 7800);
  atMost('the same with its tests', linesOf(blog.keys(), blog), 10_400);
  atMost('minimal: lines of src and test', linesOf(minimal.keys(), minimal), 9300);

  const sizes = source.map((path) => linesOf([path], blog)).toSorted((one, other) => one - other);
  const sizeAt = (part: number) => sizes[Math.ceil(part * sizes.length) - 1] ?? 0;
  atMost('files of src', sizes.length, 80);
  atMost('lines of a file: median', sizeAt(0.5), 100);
  atMost('lines of a file: nine of ten', sizeAt(0.9), 220);
  atMost('lines of a file: the longest', sizeAt(1), 300);

  const closure = closureOf('src/posts/routes.ts', blog);
  atMost('posts/routes.ts loads files', closure.size, 28);
  atMost('posts/routes.ts loads lines', linesOf(closure, blog), 3200);
  const models = ['posts', 'comments', 'tags', 'users'];
  const own = source.filter((path) =>
    models.some((model) => isOneOf(path, model, ['schema', 'policy', 'queries', 'routes'])),
  );
  atMost('lines of a model, on average', Math.round(linesOf(own, blog) / models.length), 190);
  const { casts, unsafe } = assertionsIn(source, blog);
  atMost('casts', casts, 4);
  atMost('any and !', unsafe, 0);
  const caller = linesOf(['src/database/migrate.ts'], blog);
  atMost('lines of src that lead to the migration runner', caller, 60);
  const circles = circlesIn(blog);
  atMost(`files in a circle of imports ${circles.join(' ')}`.trimEnd(), circles.length, 0);
}

const isOneOf = (path: string, folder: string, names: readonly string[]) =>
  names.some((name) => path === `src/${folder}/${name}.ts`);

function atMost(name: string, found: number, bar: number): void {
  report({ name, found: String(found), bar: `≤ ${bar}`, ok: found <= bar });
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

/** Where the compiler is told what it cannot see; `as const` says nothing of the kind. */
function assertionsIn(paths: readonly string[], files: Project) {
  let [casts, unsafe] = [0, 0];
  const visitor = new Visitor({
    TSAsExpression({ typeAnnotation }) {
      const isConst =
        typeAnnotation.type === 'TSTypeReference' &&
        typeAnnotation.typeName.type === 'Identifier' &&
        typeAnnotation.typeName.name === 'const';
      if (!isConst) casts++;
    },
    TSNonNullExpression: () => void unsafe++,
    TSAnyKeyword: () => void unsafe++,
  });
  for (const path of paths) visitor.visit(parseSync(path, files.get(path) ?? '').program);
  return { casts, unsafe };
}

/** All that is loaded with a file: types are no reason to load anything. */
function closureOf(entry: string, files: Project): ReadonlySet<string> {
  const closure = new Set([entry]);
  for (const path of closure) {
    for (const imported of importsOf(path, files)) closure.add(imported);
  }
  return closure;
}

/** Without those that are for types alone. */
function importsOf(path: string, files: Project): readonly string[] {
  return linksOf(path, files, /^(?:import|export) (?!type )[^;']*?'(\.[^']+)'/gm);
}

function linksOf(path: string, files: Project, form: RegExp): readonly string[] {
  return [...(files.get(path) ?? '').matchAll(form)]
    .map(([, specifier = '']) => posix.join(posix.dirname(path), specifier))
    .filter((imported) => files.has(imported));
}

const isSchema = (path: string) => path.endsWith('/schema.ts');

/** Files from which a way of imports, also for types, leads back; but for models that name each other in their schemas. */
function circlesIn(files: Project): readonly string[] {
  const next = (path: string) =>
    linksOf(path, files, /^(?:import|export) [^;']*?'(\.[^']+)'/gm).filter(
      (to) => !(isSchema(path) && isSchema(to)),
    );
  const reaches = (from: string, goal: string, seen: Set<string>): boolean =>
    next(from).some((path) => {
      if (path === goal) return true;
      if (seen.has(path)) return false;
      seen.add(path);
      return reaches(path, goal, seen);
    });
  return [...files.keys()].filter((path) => reaches(path, path, new Set())).toSorted();
}
