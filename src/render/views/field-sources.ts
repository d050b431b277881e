import type { Field } from '../../model/app.ts';

/** Shown, but never taken from a client: the owner's key, and what the schema calls `readonly`. */
export const isServerSet = ({ source, role, hidden }: Field) =>
  source === 'server' && !hidden && (role === 'key' || role === 'declared');
