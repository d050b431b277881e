import { defaults } from '../language.ts';
import { appNameLike } from '../app-name.ts';
import type { SchemaRule } from '../facts.ts';
import { invalidName } from '../scope.ts';

const packageName = /^[a-z0-9]+(?:[-._][a-z0-9]+)*$/;

const prefixPath = /^\/?$|^(?:\/[A-Za-z0-9]+(?:[-._~][A-Za-z0-9]+)*)+\/?$/;

const segment = /^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$/;

/** Names that npm or Windows reserves. */
const takenPackages = new Set(
  ['node_modules', 'favicon.ico', 'package.json', 'aux', 'con', 'nul', 'prn'].concat(
    Array.from({ length: 9 }, (_, index) => [`com${index + 1}`, `lpt${index + 1}`]).flat(),
  ),
);

/** The name becomes that of an npm package, a folder and a database file. */
export const appNameIsPackageName: SchemaRule = ({ schema }, report) => {
  const { value } = schema.app.name;
  if (value === '') return;
  const nearest = appNameLike(value);
  const like = nearest === '' ? '' : `, like \`${nearest}\``;
  const isLegal = packageName.test(value) && value.length <= 100;
  if (isLegal && !takenPackages.has(value)) return;
  const help = isLegal
    ? 'npm or Windows reserves this name'
    : `lowercase letters, digits and \`-\`, 100 at most${like}`;
  report(invalidName('name the app', schema.app.name, help, 'SCF120'));
};

export const prefixIsPath: SchemaRule = ({ schema }, report) => {
  const prefix = schema.api?.prefix;
  if (prefix === undefined || (prefixPath.test(prefix.value) && prefix.value.length <= 100)) return;
  const help = 'write a path like `/api` or `/api/v1`, or `/` for none';
  report(invalidName('be the path before the lists', prefix, help, 'SCF120'));
};

export const pathIsSegment: SchemaRule = ({ schema }, report) => {
  for (const { path } of schema.models) {
    if (path === undefined || (segment.test(path.value) && path.value.length <= 100)) continue;
    const help = 'one segment of letters, digits, `-` and `_`, without slashes, like `blog-posts`';
    report(invalidName('be a path', path, help, 'SCF120'));
  }
};

const ownRoutes = ['auth', 'docs', 'health', 'openapi.json'];

export const pathsAreFree: SchemaRule = ({ models, schema }, report) => {
  const prefix = schema.api?.prefix;
  const [start = ''] = (prefix?.value ?? defaults.apiPrefix).replace(/^\/+/, '').split('/');
  if (prefix !== undefined && ownRoutes.includes(start.toLowerCase())) {
    const message = `the server itself uses paths below \`/${start}\``;
    const help = `choose a prefix that does not start with ${ownRoutes.map((route) => `\`/${route}\``).join(', ')}`;
    report({ code: 'SCF110', at: prefix.at, message, help });
  }
  for (const { name, path, schema: model } of start === '' ? models : []) {
    if (!ownRoutes.includes(path.toLowerCase())) continue;
    const message = `${name} would be served at \`/${path}/\`, which the server itself uses`;
    const help = 'give it another `path:`, or set `api: { prefix: /api }`';
    report({ code: 'SCF110', at: model.path?.at ?? model.name.at, message, help });
  }
};
