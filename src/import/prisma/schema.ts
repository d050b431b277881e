import type { PrismaValue } from './parser.ts';

/** The parts of a Prisma schema that are used: https://www.prisma.io/docs/orm/reference/prisma-schema-reference */
export interface PrismaSchema {
  readonly provider: string;
  readonly models: readonly PrismaModel[];
  readonly enums: readonly PrismaEnum[];
  /** Blocks that are skipped, such as views. */
  readonly others: readonly {
    readonly kind: string;
    readonly name: string;
    /** `schema.prisma:14` */
    readonly place: string;
  }[];
}

export interface PrismaModel {
  readonly name: string;
  /** The name of its table. */
  readonly stored: string;
  readonly place: string;
  readonly description?: string | undefined;
  readonly fields: readonly PrismaField[];
  readonly attributes: readonly PrismaAttribute[];
}

export interface PrismaField {
  readonly name: string;
  readonly place: string;
  readonly type: string;
  /** As the file has it: `String?`. */
  readonly written: string;
  readonly isList: boolean;
  readonly isOptional: boolean;
  readonly description?: string | undefined;
  readonly attributes: readonly PrismaAttribute[];
}

/** `@default(now())`, `@db.VarChar(20)` (with the name `db.VarChar`), `@@unique([a, b], map: "x")` */
export interface PrismaAttribute {
  readonly name: string;
  readonly place: string;
  readonly values: readonly PrismaValue[];
  readonly named: ReadonlyMap<string, PrismaValue>;
}

export interface PrismaEnum {
  readonly name: string;
  /** The name of its type in the database. */
  readonly type: string;
  readonly place: string;
  readonly values: readonly { readonly name: string; readonly stored?: string | undefined }[];
}
