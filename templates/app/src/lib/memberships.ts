import type { Expression } from 'kysely';
import type { Database } from '../database/client.ts';
import type { Tables } from '../database/tables.ts';
import type { BoundRule, Condition, Viewer } from './access.ts';
import type { Resource } from './resource.ts';

/** A key of a row, and columns over which it leads on: `['lesson_id', 'lessons.school_class_id']`. */
export type Steps = readonly [key: string, ...columns: StoredColumn[]];

type StoredColumn = {
  [Table in keyof Tables]: `${Table}.${keyof Tables[Table] & string}`;
}[keyof Tables];

/**
 * The columns over which rows lead to the one that they are deleted with. `tenant` is given if what they make users
 * members of may be deleted as well.
 */
export interface Way {
  readonly over: Steps;
  readonly tenant?: () => Resource;
}

/** The rows whose deletion or restoring takes others along, and who asks for it. */
export interface Taking extends Way {
  readonly viewer: Viewer | null;
  readonly resource: Resource;
  readonly id: number | string;
  readonly isBack?: boolean;
}

/** A row that is changed or deleted, by itself or together with others. */
export type Going = Pick<Taking, 'id'> & Partial<Taking>;

/** The rows that make users members of something, as `members` of `members.ts` describes them. */
export interface Memberships {
  /** The columns that lead to what they are members of, and to the user. */
  readonly of: string;
  readonly user?: string | undefined;
  /** Rows with a role no higher than the viewer's own. */
  readonly upToOwn: BoundRule;
  /** Rows whose link the viewer has. */
  readonly isByLink: BoundRule;
  /**
   * Called before the checks of a row that is to be changed or deleted, or, if others are deleted with it, once it is
   * locked. Call what it returns afterwards: it throws 409 if the last member who had to stay is gone.
   */
  readonly keepLast: (open: Database, going: Going) => Promise<() => Promise<void>>;
  /**
   * Throws 403 if a row that is about to be deleted, or was restored, takes one along whose role is above the viewer's
   * own.
   */
  readonly requireUpToOwn: (open: Database, taking: Taking) => Promise<void>;
  /** The ids of users, with one of these roles or any, whose rows lead to something that meets the condition. */
  readonly people: (
    isOf: (column: Expression<unknown>) => Condition,
    roles?: readonly string[],
  ) => Expression<unknown>;
}

export interface Taken extends Way {
  readonly kind: () => Memberships;
}
