import { exitCode, UserError } from '../../errors.ts';
import type { Engine } from '../../model/app.ts';
import { parseSchema } from '../../schema/parse.ts';
import type { Position } from '../../schema/problem.ts';
import type { SchemaText } from '../schema-text.ts';

/** The same schema with `database:` set, everything else (comments too) as it was. A faulty schema is left alone. */
export function withDatabase(source: SchemaText, engine: Engine): SchemaText {
  const parsed = parseSchema(source.text, source.file);
  if (!parsed.schema || (parsed.schema.database?.value ?? 'sqlite') === engine) return source;
  const { database } = parsed.schema;
  const text = database
    ? replaceToken(source.text, database.at, engine)
    : insertKey(source.text, engine);
  const result = parseSchema(text, source.file);
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

/** Positions count characters, not UTF-16 units. */
function replaceToken(text: string, { line, column, length }: Position, value: string): string {
  const lines = text.split('\n');
  const characters = [...(lines[line - 1] ?? '')];
  const quote = /^["']/.exec(characters[column - 1] ?? '')?.[0] ?? '';
  characters.splice(column - 1, length, `${quote}${value}${quote}`);
  lines[line - 1] = characters.join('');
  return lines.join('\n');
}

function insertKey(text: string, value: string): string {
  if (text.trimStart().startsWith('{')) return text.replace('{', `{ "database": "${value}",`);
  return text.replace(/^(?=["']?models["']?\s*:)/m, `database: ${value}\n`);
}
