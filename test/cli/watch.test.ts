import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { hanging } from '../support/run.ts';
import { blogProject, type BlogProject } from './blog-project.ts';
import { program, surroundings } from './scaffold.ts';

test('--watch follows every save, survives a wrong schema and a question, and ends with Ctrl-C', async () => {
  const blog = await blogProject();
  const schema = blog.read('schema.yaml');
  const title = 'title: string(3..160)';
  const watching = watch(blog);
  await watching.shows('Waiting for the next save');

  await save(blog, schema.replace(title, `${title}\n      subtitle: string(1..80)?`));
  await watching.shows('Post.subtitle is new.', 'Waiting for the next save');
  expect(blog.read('src/posts/schema.ts')).toContain('subtitle:');

  await save(blog, schema.replace(title, 'title: strnig'));
  await watching.shows('`strnig`', 'Waiting for the next save');

  await save(blog, schema.replace(title, `${title}\n      undertitle: string(1..80)?`));
  await watching.shows('--rename Post.subtitle=undertitle', 'Waiting for the next save');

  await save(blog, schema);
  await watching.shows('--accept SCF412:Post.subtitle', 'Waiting for the next save');
  expect(await watching.end()).toBe(0);
});

const save = ({ folder }: BlogProject, text: string) =>
  writeFile(join(folder, 'schema.yaml'), text);

function watch({ folder }: BlogProject) {
  const child = execa(process.execPath, [program, 'regenerate', '--watch'], {
    cwd: folder,
    env: surroundings(),
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    all: true,
    timeout: hanging,
  });
  let shown = '';
  child.all.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  return {
    /** All of the texts, in this order, after what has been seen before. */
    shows: async (...texts: readonly string[]) => {
      for (const text of texts) {
        const deadline = performance.now() + hanging;
        while (!shown.includes(text)) {
          if (performance.now() > deadline) throw new Error(`no ${text} in\n${shown}`);
          await wait(20);
        }
        shown = shown.slice(shown.indexOf(text) + text.length);
      }
    },
    end: async () => {
      child.kill('SIGINT');
      return (await child).exitCode;
    },
  };
}
