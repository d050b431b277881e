import { spellType } from '../types/all.ts';
import type { FieldType } from '../types/field-type.ts';
import type { UpdateRule } from '../schema/language.ts';

/** A model to be written. Texts are short forms, maps are long forms. */
export interface DraftModel {
  readonly name: string;
  readonly description?: string | undefined;
  readonly table?: string | undefined;
  readonly plural?: string | undefined;
  /** Without a `type`, the id is an `int`. */
  readonly id?:
    | string
    | {
        readonly type?: string | undefined;
        readonly max?: number | undefined;
        readonly column?: string | undefined;
      }
    | undefined;
  readonly timestamps?:
    false | string | { readonly [time: string]: string | undefined } | undefined;
  readonly owner?: string | undefined;
  readonly fields: ReadonlyMap<string, DraftField>;
  readonly relations: ReadonlyMap<string, DraftRelation>;
  /** `true` if the time has the usual name. */
  readonly soft_delete?: true | string | undefined;
  readonly unique: readonly DraftGroup[];
  readonly indexes: readonly DraftGroup[];
  readonly checks?: readonly string[] | undefined;
  readonly access?: Readonly<Record<string, string>> | undefined;
}

/** Names of fields and relations, perhaps with a condition. */
export type DraftGroup =
  readonly string[] | { readonly fields: readonly string[]; readonly where: string };

/** A type with its range. For texts and bytes, that of the length. */
export interface DraftType {
  readonly type: FieldType;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly optional?: boolean;
}

/** `string(..80)?`, `decimal(8,2)`, `State` */
export function spellDraftType({ type, min = '', max = '', optional }: DraftType): string {
  const hasRange = type.kind !== 'decimal' && min + max !== '';
  return `${spellType(type)}${hasRange ? `(${min}..${max})` : ''}${optional === true ? '?' : ''}`;
}

export interface DraftField extends DraftType {
  readonly default?: unknown;
  readonly flags: readonly ('unique' | 'index' | 'readonly' | 'hidden')[];
  readonly column?: string | undefined;
  readonly description?: string | undefined;
}

export interface DraftRelation {
  readonly to: string;
  readonly optional?: true | undefined;
  readonly many?: true | undefined;
  readonly unique?: true | undefined;
  readonly index?: false | undefined;
  readonly inverse?: string | undefined;
  readonly on_delete?: 'cascade' | 'set_null' | undefined;
  readonly on_update?: UpdateRule | undefined;
  readonly column?: string | undefined;
  readonly description?: string | undefined;
}
