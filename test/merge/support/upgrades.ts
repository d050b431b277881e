import type { RenderedFile } from '../../../src/render/rendered-file.ts';

/** What an earlier version of the generator would have made of a file. */
export type Older = (file: RenderedFile) => string;

/** Each as the step from that version to this one. */
export const upgrades: Readonly<Record<string, Older>> = {
  'a helper got another name': words({ sendRow: 'replyWithRow', addressOf: 'locationOf' }),
  'a helper moved': everywhere("from '../lib/current-user.ts'", "from '../auth/current.ts'"),
  'a file of helpers got another name': everywhere('/reply.ts', '/answer.ts'),
  'a value got a name': everywhere(
    /const change = (.*);\n( +const row = await update\w+\(app\.database, )change\)/g,
    '$2$1)',
  ),
  'a value lost its name': everywhere(
    /return sendPage\(reply, page\);/g,
    'const answer = sendPage(reply, page);\n    return answer;',
  ),
  'an option more': everywhere(/\{ onRequest: app\.identify, (schema: \w+) \}/g, '{ $1 }'),
  'an option less': everywhere(/(\{ onRequest: app\.\w+), /g, '$1, attachValidation: true, '),
  'a parameter less': everywhere(
    /(\w+)\(reader: Reader, request: ListRequest\)/g,
    '$1(reader: Reader, request: ListRequest, limit = 50)',
  ),
  'a handler before another': everywhere(
    /( {2}app\.patch\([\s\S]*?\n {2}\}\);\n)\n( {2}app\.delete\([\s\S]*?\n {2}\}\);\n)/g,
    '$2\n$1',
  ),
  'a function more': everywhere(/\nexport function delete\w+\([\s\S]*?\n\}\n/g, ''),
  'another comment': everywhere(/\/\*\* (Who may see and change \w+);.*\*\//g, '/** $1. */'),
  'a comment more': everywhere(/ {2}\/\*\*.*\*\/\n/g, ''),
  'a plugin more': within('src/app.ts', [
    ["import { addPages } from './pages/routes.ts';\n", ''],
    ['  await addPages(app);\n', ''],
  ]),
  'plugins in another order': within('src/app.ts', [
    ['  addErrors(app);\n  addValidation(app);\n', '  addValidation(app);\n  addErrors(app);\n'],
  ]),
  'a setting more': within('src/config.ts', [[/\n.*TRUSTED_PROXIES.*(?=\n)/g, '']]),
  'newer dependencies': within('package.json', [
    [/"(fastify|kysely|ajv|vitest)": "[^"]*"/g, '"$1": "^1.0.0"'],
  ]),
  'a dependency more': within('package.json', [[/ {4}"nodemailer".*\n/, '']]),
  'a dependency less': within('package.json', [
    ['    "fastify"', '    "express": "^5.0.0",\n    "fastify"'],
  ]),
  'a script more': within('package.json', [[/ {4}"openapi".*\n/, '']]),
  'stricter types': within('tsconfig.json', [[/ {4}"exactOptionalPropertyTypes".*\n/, '']]),
  'a test more': everywhere(/ {2}testQuery\(subject\);\n/g, ''),
  'tests of another shape': everywhere('const subject = {\n  api,', 'const subject = {'),
  'a longer readme': within('README.md', [[/\n## Put it into production[\s\S]*/, '']]),
  'another service': within('compose.yaml', [['mailpit:v1.21', 'mailpit:v1.18']]),
  'another wording': within('AGENTS.md', [['must pass', 'has to pass']]),
};

type Change = readonly [find: string | RegExp, by: string];

function everywhere(find: string | RegExp, by: string): Older {
  return ({ content }) => content.replaceAll(asPattern(find), by);
}

function words(names: Readonly<Record<string, string>>): Older {
  return ({ content }) =>
    content.replace(
      /\w+/g,
      (word) => (Object.hasOwn(names, word) ? names[word] : undefined) ?? word,
    );
}

function within(path: string, changes: readonly Change[]): Older {
  return (file) => {
    if (file.path !== path) return file.content;
    return changes.reduce((text, [find, by]) => text.replace(asPattern(find), by), file.content);
  };
}

function asPattern(find: string | RegExp): RegExp {
  if (find instanceof RegExp) return new RegExp(find.source, 'g');
  return new RegExp(find.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), 'g');
}
