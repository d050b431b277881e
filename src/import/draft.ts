import type { MomentColumn } from '../types/found-columns.ts';
import type { FieldType } from '../types/field-type.ts';
import type { Naming, UpdateRule } from '../schema/language.ts';

/** A schema to be written. Texts are short forms, maps are long forms. */
export interface Draft {
  readonly database: 'sqlite' | 'postgres';
  readonly naming: Naming;
  readonly storage: {
    readonly times: Exclude<MomentColumn, 'timestamptz'> | undefined;
    readonly keys: 'int' | undefined;
    readonly texts: 'default' | undefined;
    readonly indexes: 'bare' | undefined;
    readonly on_update: 'cascade' | undefined;
    /** `type` if all enums have types of their own names; otherwise the names that differ. */
    readonly enums: 'type' | Readonly<Record<string, string>> | undefined;
  };
  readonly auth: {
    readonly roles: readonly string[];
    readonly name: 'optional' | undefined;
    readonly password: false | undefined;
  };
  readonly enums: ReadonlyMap<string, readonly string[]>;
  readonly models: readonly DraftModel[];
}

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
