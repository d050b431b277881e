import { defaults } from '../schema/language.ts';
import { basename } from 'node:path';
import { exitCode, UserError } from '../errors.ts';
import { parseSchema } from '../schema/parse.ts';
import type { Position } from '../schema/problem.ts';
import { appNameLike } from '../schema/app-name.ts';
import type { SchemaOrigin, SchemaText } from './schema-source.ts';
import type { Engine } from '../types/field-type.ts';

/**
 * Names the app after the folder if the schema is an example or has no `app`. Returns the schema unchanged if it is
 * invalid anyway, or if the folder's name is no valid package name.
 */
export function withName(source: SchemaText, origin: SchemaOrigin, folder: string): SchemaText {
  const name = appNameLike(basename(folder));
  const { schema } = parseSchema(source.text);
  if (name === '' || (schema && origin.kind !== 'example')) return source;
  const text = schema
    ? replaceToken(source.text, schema.app.name.at, name)
    : insertKey(source.text, 'app', { name });
  return parseSchema(text).schema ? { ...source, text } : source;
}

/** Makes the comment for editors point to the project's copy of the JSON Schema. */
export function withOwnModeline(source: SchemaText): SchemaText {
  const pattern = /^(# yaml-language-server: \$schema=).*schema\.v1\.json$/m;
  return { ...source, text: source.text.replace(pattern, '$1./.scaffold/schema.v1.json') };
}

/** Sets `database:` and leaves everything else, including comments. Returns an invalid schema unchanged. */
export function withDatabase(source: SchemaText, engine: Engine): SchemaText {
  const parsed = parseSchema(source.text);
  if (!parsed.schema || (parsed.schema.database?.value ?? defaults.database) === engine)
    return source;
  const { database } = parsed.schema;
  const text = database
    ? replaceToken(source.text, database.at, engine)
    : insertKey(source.text, 'database', engine);
  const result = parseSchema(text);
  if (result.schema?.database?.value === engine) return { ...source, text };
  throw new UserError(
    'SCF005',
    `\`--database ${engine}\` could not be written into \`${source.file}\`.`,
    {
      exit: exitCode.usage,
      help: `Write \`database: ${engine}\` into the schema, and leave the option out.`,
    },
  );
}

/** Positions count characters instead of UTF-16 units. */
function replaceToken(text: string, { line, column, length }: Position, value: string): string {
  const lines = text.split('\n');
  const characters = [...(lines[line - 1] ?? '')];
  const quote = /^["']/.exec(characters[column - 1] ?? '')?.[0] ?? '';
  const written = quote === '' ? scalar(value) : `${quote}${value}${quote}`;
  characters.splice(column - 1, length, written);
  lines[line - 1] = characters.join('');
  return lines.join('\n');
}

/** Inserts a key before the models. */
function insertKey(text: string, key: string, value: string | { readonly name: string }): string {
  const json = JSON.stringify(value);
  if (text.trimStart().startsWith('{')) return text.replace('{', `{ "${key}": ${json},`);
  const yaml = typeof value === 'string' ? value : `{ name: ${scalar(value.name)} }`;
  return text.replace(/^(?=["']?models["']?\s*:)/m, `${key}: ${yaml}\n`);
}

/** A name that begins with a digit could be read as a number. */
function scalar(name: string): string {
  return /^[a-z]/.test(name) ? name : `'${name}'`;
}
