import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type BindingPattern, parseSync, Visitor } from 'oxc-parser';
import { root } from './root.ts';

/** What the rules of the architecture look at in one file. */
export interface Source {
  /** From the folder, with slashes: `render/render.ts`. */
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  /** Names that it declares at the top level or gives to others, each once. */
  readonly names: readonly string[];
  /** `process`, `Date.now`, `Math.random`, `new Date()`, …: what makes a function depend on the world. */
  readonly effects: readonly string[];
}

interface Import {
  /** A path from `src/` for a relative one, else the package: `zod`, `node:fs`. */
  readonly from: string;
  readonly relative: boolean;
  /** Only types: gone after the build, but a dependency of the reader's all the same. */
  readonly typeOnly: boolean;
  readonly lazy: boolean;
}

/** Every TypeScript file below a folder, parsed. */
export function readSources(home = 'src'): Source[] {
  const folder = join(root, home);
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return paths
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts'))
    .toSorted()
    .map((path) => parseSource(path, readFileSync(join(folder, path), 'utf8')));
}

export function parseSource(path: string, text: string): Source {
  const { module, program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`);
  const locate = (specifier: string) => ({
    relative: specifier.startsWith('.'),
    from: specifier.startsWith('.')
      ? posix.join(posix.dirname(path), specifier)
      : packageOf(specifier),
  });
  const imports: Import[] = [];
  for (const found of module.staticImports) {
    const typeOnly = found.entries.length > 0 && found.entries.every((entry) => entry.isType);
    imports.push({ ...locate(found.moduleRequest.value), typeOnly, lazy: false });
  }
  for (const { moduleRequest, isType } of module.staticExports.flatMap((found) => found.entries)) {
    if (moduleRequest)
      imports.push({ ...locate(moduleRequest.value), typeOnly: isType, lazy: false });
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const specifier = text.slice(moduleRequest.start + 1, moduleRequest.end - 1);
    imports.push({ ...locate(specifier), typeOnly: false, lazy: true });
  }
  const exported = module.staticExports
    .flatMap(({ entries }) => entries)
    .flatMap(({ exportName }) => exportName.name ?? []);
  return {
    path,
    lines: text.split('\n').length - 1,
    imports,
    names: [...new Set([...exported, ...program.body.flatMap(namesDeclaredBy)])],
    effects: effectsOf(program),
  };
}

type Program = ReturnType<typeof parseSync>['program'];

function namesDeclaredBy(statement: Program['body'][number]): readonly string[] {
  const declaration =
    statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  if (declaration?.type === 'VariableDeclaration')
    return declaration.declarations.flatMap(({ id }) => namesBoundBy(id));
  return declaration && 'id' in declaration && declaration.id?.type === 'Identifier'
    ? [declaration.id.name]
    : [];
}

function namesBoundBy(pattern: BindingPattern): readonly string[] {
  if (pattern.type === 'Identifier') return [pattern.name];
  if (pattern.type === 'AssignmentPattern') return namesBoundBy(pattern.left);
  const parts = pattern.type === 'ArrayPattern' ? pattern.elements : pattern.properties;
  return parts.flatMap((part) => {
    if (part === null) return [];
    if (part.type === 'RestElement') return namesBoundBy(part.argument);
    return namesBoundBy(part.type === 'Property' ? part.value : part);
  });
}

function effectsOf(program: Program): string[] {
  const effects = new Set<string>();
  const visitor = new Visitor({
    Identifier({ name }) {
      if (/^(process|console|performance|globalThis|fetch|setTimeout)$/.test(name))
        effects.add(name);
    },
    MemberExpression({ object, property }) {
      if (object.type !== 'Identifier' || property.type !== 'Identifier') return;
      const name = `${object.name}.${property.name}`;
      if (/^(Date\.now|Math\.random|crypto\.\w+|Intl\.\w+)$/.test(name)) effects.add(name);
    },
    NewExpression({ callee, arguments: given }) {
      if (callee.type === 'Identifier' && callee.name === 'Date' && given.length === 0)
        effects.add('new Date()');
    },
    CallExpression({ callee }) {
      if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier') {
        if (/^(toLocale\w*|localeCompare)$/.test(callee.property.name))
          effects.add(callee.property.name);
      }
    },
  });
  visitor.visit(program);
  return [...effects].toSorted();
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier;
  const [scope, name] = specifier.split('/');
  return specifier.startsWith('@') ? `${scope}/${name}` : (scope ?? specifier);
}
