import type { Rule } from './facts.ts';

const packageName = /^[a-z0-9]+(?:[-._][a-z0-9]+)*$/;
const prefixPath = /^\/?$|^(?:\/[A-Za-z0-9]+(?:[-._~][A-Za-z0-9]+)*)+\/?$/;
const segment = /^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$/;

/** Names that npm or Windows keep for themselves. */
const takenPackages = new Set(
  ['node_modules', 'favicon.ico', 'package.json', 'aux', 'con', 'nul', 'prn'].concat(
    Array.from({ length: 9 }, (_, index) => [`com${index + 1}`, `lpt${index + 1}`]).flat(),
  ),
);

/** The name is that of an npm package, a folder and a database file. */
export const appNameIsPackageName: Rule = ({ schema }, report) => {
  const { value, at } = schema.app.name;
  if (value === '') return;
  const plain = value.normalize('NFD').replaceAll(/\p{Nonspacing_Mark}/gu, '');
  const words = plain.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const message = `\`${value}\` cannot name the app`;
  if (!packageName.test(value) || value.length > 100) {
    const like = words.length === 0 ? '' : `, like \`${words.join('-').slice(0, 100)}\``;
    report({
      code: 'SCF120',
      at,
      message,
      help: `small letters, digits and \`-\`, 100 at most${like}`,
    });
  } else if (takenPackages.has(value)) {
    report({ code: 'SCF120', at, message, help: 'npm or Windows keeps this name for itself' });
  }
};

export const prefixIsPath: Rule = ({ schema }, report) => {
  const prefix = schema.api?.prefix;
  if (prefix === undefined || (prefixPath.test(prefix.value) && prefix.value.length <= 100)) return;
  report({
    code: 'SCF120',
    at: prefix.at,
    message: `\`${prefix.value}\` cannot be the path before the lists`,
    help: 'write a path like `/api` or `/api/v1`, or `/` for none',
  });
};

export const pathIsSegment: Rule = ({ schema }, report) => {
  for (const { path } of schema.models) {
    if (path === undefined || (segment.test(path.value) && path.value.length <= 100)) continue;
    report({
      code: 'SCF120',
      at: path.at,
      message: `\`${path.value}\` cannot be a path`,
      help: 'one segment of letters, digits, `-` and `_`, without slashes, like `blog-posts`',
    });
  }
};
