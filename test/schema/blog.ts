import { readFileSync } from 'node:fs';

/** The example that the documentation explains: every construct of the language. */
export const blog = readFileSync(
  new URL('../../templates/examples/blog.yaml', import.meta.url),
  'utf8',
);
