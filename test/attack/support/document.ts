/** The part of an OpenAPI document that the fuzzer reads. */
export interface Document {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
  readonly components?: { readonly schemas?: { readonly [name: string]: Schema } };
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Content };
  readonly responses: { readonly [status: string]: Answer };
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema?: Schema;
}

interface Answer {
  readonly $ref?: string;
  readonly content?: Content;
}

type Content = { readonly [type: string]: { readonly schema?: Schema } };

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

export interface Route {
  readonly path: string;
  /** In capital letters. */
  readonly method: string;
  readonly operation: Operation;
}

export function routesOf({ paths }: Document): readonly Route[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
    })),
  );
}

/** What `#/components/schemas/Post` means; anything else is returned as it is. */
export function resolved<T extends { readonly $ref?: string }>(document: Document, part: T): T {
  if (part.$ref === undefined) return part;
  const steps = part.$ref.split('/').slice(1);
  return steps.reduce((at, step) => Object(at)[step], Object(document));
}

/** Finds the route that serves an address: `/api/posts/7?fields=title` → `/api/posts/{id}`. */
export function routeFinder(document: Document) {
  const patterns = Object.keys(document.paths)
    .map((path) => ({
      path,
      pattern: new RegExp(`^${trimmed(path).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    }))
    .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length);
  return (address: string): string | undefined => {
    const plain = decoded(trimmed(address.split(/[?#]/, 1)[0] ?? ''));
    return patterns.find(({ pattern }) => pattern.test(plain))?.path;
  };
}

const trimmed = (path: string) => path.replace(/\/$/, '');

/** A slash that is written `%2F` does not count as a slash. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path.replaceAll(/%2f/gi, '%252f'));
  } catch {
    return path;
  }
}
