import type { Dice } from '../dice.ts';
import { comments } from './comments.ts';
import { declarations } from './declarations.ts';
import { hard } from './hard.ts';
import { imports } from './imports.ts';
import type { Details, Edit, Kind } from './kind.ts';
import { statements } from './statements.ts';
import { values } from './values.ts';

export interface EditOptions extends Pick<Details, 'renames'> {
  /**
   * `plain`: what fits any change somewhere else. `hard`: what also mentions its neighbours.
   * `typed`: what type-checks beside `mine.d.ts`.
   */
  readonly among: 'plain' | 'hard' | 'typed';
}

export function makeEdit(
  text: string,
  dice: Dice,
  { renames, among }: EditOptions,
): Edit | undefined {
  const names = Object.keys(kinds[among]);
  const name = names[dice.kind % names.length] ?? '';
  const apply = kinds[among][name]?.(text, { ...dice, renames });
  return apply && { name, apply };
}

const plain: Readonly<Record<string, Kind>> = {
  ...statements,
  ...declarations,
  ...values,
  ...comments,
  ...imports,
};

const typed: Readonly<Record<string, Kind>> = Object.fromEntries(
  Object.entries(plain).filter(([name]) =>
    [
      'a statement more, before one',
      'a statement more, after one',
      'a variable around a statement',
      'a docstring',
      'a comment above',
      'a comment behind',
      'another word in a comment',
      'an if around a statement',
      'imports sorted',
      'an import under another name',
      'a function more',
      'a function elsewhere',
      'a property of an interface more',
      'members in another order',
    ].includes(name),
  ),
);

const kinds = { plain, hard: { ...hard, ...plain }, typed };

/** Declares what edits of the kinds `typed` use. */
export const declared = [
  'declare function audit(...values: unknown[]): number;',
  ...Array.from({ length: 97 }, (_, detail) => `declare const wanted${detail}: boolean;`),
  '',
].join('\n');
