import type { Field } from '../../model/app.ts';

/** What no client may send, and code may: the owner's key, and what the schema calls `readonly`. */
export const isServerSet = ({ source, role }: Field) =>
  source === 'server' && (role === 'key' || role === 'declared');
