/** Matches columns in which other programs keep the hash of a user's password. */
export const isPasswordHash = (name: string): boolean =>
  /^(?:encrypted_?password|password_?(?:digest|hash)|hashed_?password)$/i.test(name);
