import { expect, test } from 'vitest';
import { merge } from './support/merged.ts';

const file = (body: string) =>
  `export async function postRoutes(app: App) {\n  app.post('/', async (request, reply) => {\n${body}  });\n}\n`;

const base = file(
  '    const row = await createPost(app.database, request.body);\n    return sendCreated(reply, row);\n',
);

/** Comments of the owner's are above, after and between the statements, and around the block. */
const inside = `      // First in it.

      // Above the row.
      const row = await createPost(app.database, request.body); // behind the row
      // Above the answer.
      return sendCreated(reply, row);
      // Last in it.
`;

const wrappers: Readonly<Record<string, string>> = {
  'a try': `    // Above.\n    try {\n${inside}    } catch (error) { // caught\n      throw explain(error);\n    } // end\n`,
  'an if': `    // Above.\n    if (wanted) {\n${inside}    } // end\n`,
  'a call': `    // Above.\n    return timed('create', async () => {\n${inside}    }); // end\n`,
};

const changes: Readonly<Record<string, string>> = {
  'a statement more': base.replace(
    '    const row',
    '    const values = { ...request.body };\n    const row',
  ),
  'another argument': base.replace('request.body)', 'values)'),
  'a statement between': base.replace('    return', '    await index(row);\n    return'),
  'another answer': base.replace('sendCreated(reply, row)', 'sendRow(reply, row)'),
};

const trials = Object.entries(wrappers).flatMap(([wrapper, body]) =>
  Object.entries(changes).map(([change, theirs]) => ({ wrapper, body, change, theirs })),
);

test.each(trials)('$wrapper around a body with comments; $change', async ({ body, theirs }) => {
  const ours = file(body);
  const { text, conflicts } = await merge({ kind: 'ts', base, ours, theirs });
  expect(conflicts).toEqual([]);
  expect(text).not.toBe(ours);
  expect(commentsIn(text)).toEqual(commentsIn(ours));
});

function commentsIn(text: string): readonly string[] {
  return [...text.matchAll(/\/\/.*/g)].map(([comment]) => comment);
}
