/** The version in package.json (a test holds the two together); a constant, so that rendering reads nothing. */
export const version = '0.6.0';
