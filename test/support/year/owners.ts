import type { Chance } from '../../attack/support/chance.ts';
import type { Tree } from '../../regenerate/support/edit.ts';

/** What somebody does in a week: to the schema, to the code, and with which flags they regenerate. */
export interface Work {
  readonly name: string;
  readonly schema: (text: string) => string;
  readonly isAddition?: boolean;
  readonly flags?: { readonly accept?: readonly string[]; readonly codemod?: boolean };
}

/** What the two have made so far that a later week may rename, widen or drop. */
export interface Made {
  fields: string[];
  models: string[];
  values: number;
}

const body = '      body: text\n';
const tagName = '      name: string(1..40) unique\n';

function put(text: string, from: string | RegExp, to: string): string {
  const after = text.replace(from, () => to);
  if (after === text) throw new Error(`The schema has no ${String(from)}:\n${text}`);
  return after;
}

const lineOf = (field: string) => new RegExp(`^ {6}${field}: .*\\n`, 'm');

/** Ann works on posts and people. */
export function annsWork(week: number, chance: Chance, made: Made): Work {
  const field = `a${week}`;
  const old = made.fields[chance.below(made.fields.length)];
  const more: Work = {
    name: `Post.${field} is new`,
    isAddition: true,
    schema(text) {
      made.fields.push(field);
      return put(text, body, `${body}      ${field}: string(..80)?\n`);
    },
  };
  const withDefault: Work = {
    name: `User.${field} is new, with a default`,
    isAddition: true,
    schema: (text) =>
      put(text, '      bio: text?\n', `      bio: text?\n      ${field}: int = 0\n`),
  };
  if (old === undefined || week % 3 === 1) return chance.oneIn(3) ? withDefault : more;
  const without = () => made.fields.filter((it) => it !== old);
  const others: readonly Work[] = [
    {
      name: `Post.${old} is called ${field}`,
      flags: { codemod: true },
      schema(text) {
        made.fields = [...without(), field];
        return put(text, lineOf(old), `      ${field}: { type: string(..200)?, was: ${old} }\n`);
      },
    },
    {
      name: `Post.${old} is longer`,
      schema(text) {
        made.fields = without();
        return put(text, lineOf(old), `      ${old}: string(..300)?\n`);
      },
    },
    {
      name: `Post.${old} is dropped`,
      flags: { accept: [`SCF412:Post.${old}`] },
      schema(text) {
        made.fields = without();
        return put(text, lineOf(old), '');
      },
    },
    {
      name: `Post.${old} has an index`,
      schema(text) {
        made.fields = without();
        return put(text, lineOf(old), `      ${old}: string(..200)? index\n`);
      },
    },
  ];
  return chance.one(others) ?? more;
}

/** Ben works on tags, and on models that come and go. */
export function bensWork(week: number, chance: Chance, made: Made): Work {
  const model = `Thing${week}`;
  const old = made.models[chance.below(made.models.length)];
  const more: Work = {
    name: `${model} is new`,
    isAddition: true,
    schema(text) {
      made.models.push(model);
      const lines = ['fields:', '  label: string(1..80)', 'relations:', '  post: Post'];
      const indented = lines.map((line) => `    ${line}\n`).join('');
      return `${text}  ${model}:\n${indented}`;
    },
  };
  const ofTag: Work = {
    name: `Tag.b${week} is new`,
    isAddition: true,
    schema: (text) => put(text, tagName, `${tagName}      b${week}: string(..20)?\n`),
  };
  const value: Work = {
    name: `PostStatus.s${week} is new`,
    schema(text) {
      made.values += 1;
      return put(
        text,
        /(PostStatus: \[.*)\]/,
        `${/PostStatus: \[.*(?=\])/.exec(text)?.[0]}, s${week}]`,
      );
    },
  };
  if (old === undefined || week % 4 === 1) return more;
  const without = () => made.models.filter((it) => it !== old);
  const block = new RegExp(`^ {2}${old}:\\n(?: {4}.*\\n)+`, 'm');
  const others: readonly Work[] = [
    ofTag,
    value,
    {
      name: `${old} is deleted softly`,
      schema(text) {
        made.models = without();
        return put(text, `  ${old}:\n`, `  ${old}:\n    soft_delete: true\n`);
      },
    },
    {
      name: `${old} is called ${model}`,
      flags: { codemod: true },
      schema(text) {
        made.models = without();
        return put(text, `  ${old}:\n`, `  ${model}:\n    was: ${old}\n`);
      },
    },
    {
      name: `${old} is dropped`,
      flags: { accept: [`SCF411:${old}`] },
      schema(text) {
        made.models = without();
        return put(text, block, '');
      },
    },
  ];
  return chance.one(others) ?? ofTag;
}

export interface Edit {
  readonly name: string;
  readonly act: (tree: Tree) => void;
}

const change = (tree: Tree, path: string, from: string | RegExp, to: string) => {
  const text = tree.read(path);
  const after = text.replace(from, () => to);
  if (after === text) throw new Error(`${path} has no ${String(from)}:\n${text}`);
  tree.write(path, after);
};

/** Code of one's own. Each line says whose it is and of which week, so that it can be found again. */
export function ownEdit(who: 'ann' | 'ben', week: number, chance: Chance): Edit {
  const mark = `// ${markOf(who, week)}`;
  const name = `${who}${week}`;
  const [folder, type, routes] = who === 'ann' ? ['posts', 'Post', 'post'] : ['tags', 'Tag', 'tag'];
  const edits: readonly Edit[] = [
    {
      name: 'a function in the queries',
      act(tree) {
        const path = `src/${folder}/queries.ts`;
        const own = `\nexport function ${name}(row: ${type}): string {\n  return \`\${row.id}\`; ${mark}\n}\n`;
        tree.write(path, tree.read(path) + own);
      },
    },
    {
      name: 'a file of their own',
      act: (tree) =>
        tree.write(
          `src/reports/${name}.ts`,
          `import type { ${type} } from '../${folder}/schema.ts';\n\nexport const ${name} = (rows: readonly ${type}[]) => rows.map((row) => row.id); ${mark}\n`,
        ),
    },
    {
      name: 'a line in a handler',
      act: (tree) =>
        change(
          tree,
          `src/${folder}/routes.ts`,
          `    reply.code(201)`,
          `    request.log.debug('${name}'); ${mark}\n    reply.code(201)`,
        ),
    },
    {
      name: 'a route',
      act: (tree) =>
        change(
          tree,
          `src/${folder}/routes.ts`,
          `  app.patch('/:id'`,
          `  app.get('/own/${name}', { schema: { hide: true } }, async () => '${name}'); ${mark}\n\n  app.patch('/:id'`,
        ),
    },
    {
      name: 'a remark about a rule',
      act: (tree) =>
        change(
          tree,
          `src/${folder}/policy.ts`,
          `export const ${routes}Policy`,
          `${mark}\nexport const ${routes}Policy`,
        ),
    },
    {
      name: 'a test',
      act: (tree) =>
        tree.write(
          `test/${name}.test.ts`,
          `import { expect, test } from 'vitest';\n\ntest('${name}', () => expect(1).toBe(1)); ${mark}\n`,
        ),
    },
  ];
  return edits[chance.below(edits.length)] ?? { name: '', act: () => {} };
}

export const markOf = (who: string, week: number) => `Of ${who} in week ${week}.`;
