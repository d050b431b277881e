import { execFileSync } from 'node:child_process';
import {
  existsSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { controlShare } from '../test/support/architecture.ts';
import { root } from '../test/support/root.ts';
import { readSources } from '../test/support/source.ts';
import { report } from './report.ts';

interface File {
  readonly path: string;
  readonly text: string;
}

/** What the generator's own code asks of whoever changes it. */
export function house(): void {
  const src = filesIn('src', '.ts');
  const templates = filesIn('templates', '.ts', '.hbs');
  const lengths = src.map(({ text }) => linesOf(text).length).toSorted((one, other) => one - other);
  const quantile = (share: number) => lengths[Math.floor(share * (lengths.length - 1))] ?? 0;
  atMost('src: lines', sum(lengths), 30_000);
  atMost('src: lines that `regenerate` reaches', reachOf('commands/regenerate.ts'), 22_000);
  atMost('src: lines of a file, in the middle', quantile(0.5), 90);
  atMost('src: lines of a file, nine in ten', quantile(0.9), 180);
  atMost('src: lines of the longest file', quantile(1), 250);
  atMost('src: files over 200 lines', lengths.filter((it) => it > 200).length, 12);
  atMost('interfaces of one file that are used once', src.reduce(countOnce, 0), 15);
  const control = 100 * controlShare(templates.filter(carriesModels).map(({ text }) => text));
  report({
    name: 'control lines of templates that carry models',
    found: `${control.toFixed(0)} %`,
    bar: '≤ 15 %',
    ok: control <= 15,
  });
  const naming = [...src, ...templates].filter((file) => names(file, fieldTypes) >= 4);
  const found = naming.filter(({ path }) => !path.startsWith('src/types/'));
  atMost('files that list field types, but for src/types', found.length, 10);
  const listing = src.filter((file) => names(file, endpoints) >= 4);
  atMost('files of src that list the endpoints', listing.length, 6);
  const named = namedForAType();
  atMost('a new field type: files the compiler names', named.length, 12);
  for (const path of named) process.stdout.write(`    ${path}\n`);
}

function atMost(name: string, found: number, bar: number): void {
  report({ name, found: String(found), bar: `≤ ${bar}`, ok: found <= bar });
}

function filesIn(folder: string, ...endings: readonly string[]): readonly File[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => endings.some((ending) => path.endsWith(ending)))
    .map((path) => join(folder, path).replaceAll('\\', '/'))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

const linesOf = (text: string) => text.trimEnd().split('\n');

const sum = (numbers: readonly number[]) => numbers.reduce((all, it) => all + it, 0);

/** Lines of a file of `src` and of all that it imports, however late. */
function reachOf(start: string): number {
  const sources = new Map(readSources().map((it) => [it.path, it]));
  const reached = new Set([start]);
  for (const path of reached) {
    const imports = sources.get(path)?.imports ?? [];
    for (const { from, relative, typeOnly } of imports)
      if (relative && !typeOnly) reached.add(from);
  }
  return sum([...reached].map((path) => sources.get(path)?.lines ?? 0));
}

/** Interfaces that no other file sees, and that their own speaks of once: they have a name for the sake of a parameter. */
function countOnce(before: number, { path, text }: File): number {
  const own = new Set<string>();
  const used = new Map<string, number>();
  const visitor = new Visitor({
    TSInterfaceDeclaration: ({ id }) => void own.add(id.name),
    TSTypeReference({ typeName }) {
      if (typeName.type !== 'Identifier') return;
      used.set(typeName.name, (used.get(typeName.name) ?? 0) + 1);
    },
    ExportNamedDeclaration({ declaration }) {
      if (declaration?.type === 'TSInterfaceDeclaration') used.set(declaration.id.name, Infinity);
    },
  });
  visitor.visit(parseSync(path, text).program);
  return before + [...own].filter((name) => used.get(name) === 1).length;
}

/** Templates that print each model, or each of its fields: the others hold a name or two. */
const carriesModels = ({ path, text }: File) =>
  path.endsWith('.hbs') &&
  (/^templates\/(model|user)\//.test(path) || /\{\{#each (models|tables|enums)\b/.test(text));

/** Words that mean hardly anything but types. */
const fieldTypes = ['bigint', 'bytes', 'datetime', 'decimal', 'email', 'float', 'uuid'];
const endpoints = ['list', 'create', 'read', 'update', 'delete'];

/** How many of the words stand in a file as keys or as texts. */
function names({ path, text }: File, words: readonly string[]): number {
  if (!path.endsWith('.ts')) return 0;
  const found = new Set<string>();
  const visitor = new Visitor({
    Literal({ value }) {
      if (typeof value === 'string') found.add(value);
    },
    Property({ key }) {
      if (key.type === 'Identifier') found.add(key.name);
    },
  });
  visitor.visit(parseSync(path, text).program);
  return words.filter((word) => found.has(word)).length;
}

/** Where the language lists its types, and where the code of a project does. */
const declared = [
  'src/types/field-type.ts',
  "  'bytes',\n",
  "  'bytes',\n  'duration',\n",
] as const;
const emitted: readonly Edit[] = [
  [
    'src/database/values.ts',
    "  json: { expected: 'JSON'",
    "  duration: text,\n  json: { expected: 'JSON'",
  ],
  ['src/lib/types.ts', "  byte: 'bytes',", "  byte: 'bytes',\n  duration: 'duration',"],
];

type Edit = readonly [path: string, before: string, after: string];

/** Declares one more type in a copy, and compiles it: the generator, and a project of either engine. */
function namedForAType(): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'scaffold-house-'));
  try {
    cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true });
    for (const name of ['tsconfig.json', 'tsconfig.build.json', 'package.json']) {
      cpSync(join(root, name), join(folder, name));
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const generator = newlyWrong(folder, 'tsconfig.build.json', [declared]);
    const projects = ['sqlite', 'postgres'].flatMap((engine) => {
      const project = join(folder, engine);
      cpSync(join(root, 'fixtures/apps/blog', engine), project, { recursive: true });
      return newlyWrong(project, 'tsconfig.json', emitted).map((path) => templateOf(path, engine));
    });
    const templates = emitted.map(([path]) => templateOf(path, 'sqlite'));
    const edited = [declared[0], 'src/types/duration.ts', ...templates];
    return [...new Set([...edited, ...generator, ...projects])].toSorted();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The packages of a project are not there: what is wrong without them counts in neither run. */
function newlyWrong(folder: string, config: string, edits: readonly Edit[]): readonly string[] {
  const before = new Set(errorsIn(folder, config));
  for (const [path, from, to] of edits) {
    const text = readFileSync(join(folder, path), 'utf8');
    if (!text.includes(from)) throw new Error(`${path} does not declare the types as it did.`);
    writeFileSync(join(folder, path), text.replace(from, to));
  }
  const fresh = errorsIn(folder, config).filter((error) => !before.has(error));
  return [...new Set(fresh.map((error) => error.replace(/:.*/s, '')))];
}

/** `src/model/app.ts: error TS2741: …` */
function errorsIn(folder: string, config: string): readonly string[] {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const args = [tsc, '--noEmit', '--pretty', 'false', '-p', config];
  try {
    execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    return [];
  } catch (error) {
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    if (!output.includes('error TS')) throw error;
    return output
      .split('\n')
      .filter((line) => line.includes('error TS'))
      .map((line) => line.replace(/\(\d+,\d+\)/, ''));
  }
}

function templateOf(path: string, engine: string): string {
  const places = [engine, 'passwords', 'accounts', 'app'].map((it) => `templates/${it}/${path}`);
  return places.find(isTemplate) ?? `templates/app/${path}`;
}

const isTemplate = (path: string) => ['', '.hbs'].some((end) => existsSync(join(root, path + end)));
