import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import type { Key, Keys } from '../../src/schema/key.ts';
import { idKeys } from '../../src/schema/keys/id.ts';
import { modelKeys } from '../../src/schema/keys/model.ts';
import { namingKeys, topKeys } from '../../src/schema/keys/top.ts';
import { fieldKeys } from '../../src/schema/keys/field-keys.ts';
import { relationKeys } from '../../src/schema/keys/relation.ts';
import { fieldTypes } from '../../src/types/all.ts';
import { type KeyKind, keyKinds } from '../../src/types/keys.ts';

const aboutKeys: Readonly<Record<KeyKind, string>> = {
  int: '64 bits, counted by the database',
  uuid: 'of version 7, which begins with the time; a `uuid` in the database, too, where that has the type',
  'uuid text': 'the same, in a column of texts',
  cuid: '25 characters: `c`, the time, a count and random letters and digits',
  ulid: '26 characters: the time, a count and random letters and digits',
  nanoid: '21 random letters, digits, `-` and `_`',
  text: 'what the client gives: a slug, the code of a country',
};

const referencePageFile = new URL('../../docs/schema.md', import.meta.url);

const tables: Readonly<Record<string, string>> = {
  top: tableOfKeys(topKeys),
  naming: tableOfKeys(namingKeys),
  model: tableOfKeys(modelKeys),
  id: tableOfKeys(idKeys),
  ids: table(
    ['id', 'in JSON', 'is'],
    keyKinds.map((kind) => [`\`${kind}\``, kind === 'int' ? 'number' : 'string', aboutKeys[kind]]),
  ),
  field: tableOfKeys(fieldKeys),
  relation: tableOfKeys(relationKeys),
  types: tableOfTypes(),
};

/** `docs/schema.md` with its tables as the program has them: each stands below a line that names it. */
export async function referencePage(): Promise<string> {
  const page = readFileSync(referencePageFile, 'utf8').replace(
    /(<!-- table: (\w+) -->\n)(?:\n?(?:\|.*\n)+)?/g,
    (_, line: string, name: string) => `${line}\n${tables[name] ?? 'There is no such table.'}\n`,
  );
  return format(page, { ...(await resolveConfig(referencePageFile)), parser: 'markdown' });
}

export async function writeReferencePage(): Promise<void> {
  writeFileSync(referencePageFile, await referencePage());
}

function tableOfKeys(keys: Keys): string {
  const rows = Object.entries(keys).map(([name, key]) => [
    `\`${name}\``,
    fragment(key.about),
    absence(key),
  ]);
  return table(['key', 'meaning', 'default'], rows);
}

function absence({ absent, required, shape }: Key): string {
  if (absent !== undefined) return absent;
  if (required) return 'required';
  const preset = typeof shape === 'object' ? shape['default'] : undefined;
  return preset === undefined ? '–' : `\`${String(preset)}\``;
}

function tableOfTypes(): string {
  const all = Object.entries(fieldTypes).filter(([kind]) => kind !== 'id');
  return table(
    ['type', 'in JSON', 'holds'],
    all.map(([kind, { reference }]) => [
      kind === 'enum' ? reference.written : `\`${reference.written}\``,
      reference.json,
      reference.holds,
    ]),
  );
}

/** A sentence as a table has it: `DELETE` and its like stay as they are. */
function fragment(sentence: string): string {
  return sentence
    .replace(/\.$/, '')
    .replace(
      /^(\[?)([A-Z])(?=[a-z -])/,
      (_, bracket: string, letter: string) => bracket + letter.toLowerCase(),
    );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
