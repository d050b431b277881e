import type { Model } from '../../model/app.ts';
import { code, type Code } from '../code.ts';

/** What `src/users/credentials.ts` prints. */
export interface CredentialsView {
  readonly table: string;
  readonly softDelete: boolean;
  /** Leaves out the users who were deleted softly. */
  readonly living: Code;
}

export function credentialsView({ table, softDelete }: Model): CredentialsView {
  return { table, softDelete, living: code(softDelete ? ".where('deleted_at', 'is', null)" : '') };
}
