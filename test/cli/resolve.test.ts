import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { blogProject } from './blog-project.ts';
import { check, regenerate, resolve } from './in-process.ts';

const policy = 'src/posts/policy.ts';
const base = "update: anyOf(owner('author_id'), role('editor'))";

/** The owner lets everybody change posts; the schema, only their owners. */
async function conflicted(request: Parameters<typeof regenerate>[1] = {}) {
  const project = await blogProject();
  await project.edit(policy, base, 'update: signedIn');
  await project.edit('schema.yaml', 'update: [owner, editor]', 'update: [owner]');
  const ran = await regenerate(project.folder, request);
  return { ...project, ran };
}

describe('a conflict', () => {
  test('is marked in its file, reported with its place, and blocks no other file', async () => {
    const { ran, read } = await conflicted();
    expect(ran.code).toBe(4);
    expect(ran.stdout).toContain(`conflict  ${policy}`);
    expect(ran.stderr).toContain('error SCF507  You and the schema (`Post.access`) changed');
    expect(ran.stderr).toContain(`--> ${policy}:9`);
    expect(ran.stderr).toContain('\nNext\n  npx scaffold resolve ');
    expect(ran.stderr).toMatch(/What is still open is listed above\.\n$/);
    expect(read(policy)).toContain(
      "<<<<<<< yours\n  update: signedIn,\n||||||| base\n  update: anyOf(owner('author_id'), role('editor')),\n=======\n  update: owner('author_id'),\n>>>>>>> scaffold (Post.access)\n",
    );
    expect(read('test/posts.test.ts')).toContain('editor: 403');
  });

  test('stops later runs and `check` with status 4, and they name it', async () => {
    const { folder, state } = await conflicted();
    const before = state();
    for (const { code, stdout, stderr } of [
      await regenerate(folder),
      await regenerate(folder, { dryRun: true }),
      await check(folder),
    ]) {
      expect(code).toBe(4);
      expect(stdout).toMatch(/^src\/posts\/policy\.ts:9 {2}Post\.access {2}\S.*\n$/);
      expect(stderr).toMatch(
        /error SCF506 [\s\S]*`npx scaffold resolve`[\s\S]*Nothing was written\.\n$/,
      );
    }
    expect(state()).toEqual(before);
  });

  test('disappears when the run that brought it is undone', async () => {
    const { folder, read } = await conflicted();
    expect((await regenerate(folder, { undo: true })).code).toBe(0);
    expect(read(policy)).toContain('update: signedIn,');
    expect(await resolve(folder)).toMatchObject({ code: 0, stdout: 'No conflict is open.\n' });
  });

  test('that was resolved by hand is an edit, so that run can no longer be undone', async () => {
    const { folder, edit } = await conflicted();
    await edit(policy, /^<{7}[^]*>{7} .*\n/m, '  update: signedIn,\n');
    expect((await resolve(folder, { edited: true })).code).toBe(0);
    const { code, stderr } = await regenerate(folder, { undo: true });
    expect(code).toBe(7);
    expect(stderr).toContain(`Edited since the last run: \`${policy}\`.\n`);
  });

  test.each([
    ['ours', 'update: signedIn,', 0],
    ['theirs', "update: owner('author_id'),", 0],
  ] as const)('is resolved at once by --on-conflict %s', async (onConflict, line, status) => {
    const { ran, read, folder } = await conflicted({ onConflict });
    expect(ran.code).toBe(status);
    expect(read(policy)).toContain(`  create: signedIn,\n  ${line}\n`);
    expect((await check(folder)).code).toBe(0);
  });

  test('with --on-conflict fail nothing is written', async () => {
    const { ran, read, folder } = await conflicted({ onConflict: 'fail' });
    expect(ran.code).toBe(4);
    expect(ran.stderr).toMatch(/SCF507[\s\S]*Nothing was written\.\n$/);
    expect(read(policy)).toContain('  create: signedIn,\n  update: signedIn,\n');
    expect((await resolve(folder)).code).toBe(0);
  });
});

test('a file that both made stays as its owner has it until they decide', async () => {
  const { folder, edit, read } = await blogProject();
  const path = 'src/links/schema.ts';
  await mkdir(join(folder, 'src/links'));
  await writeFile(join(folder, path), 'export const links = 1;\n');
  await edit('schema.yaml', /$/, '  Link:\n    fields: { url: url }\n');
  const { code, stderr } = await regenerate(folder);
  expect(code).toBe(4);
  expect(stderr).toContain('error SCF507  You and scaffold both made this file');
  expect(read(path)).toBe('export const links = 1;\n');
  const listed = `${path}  you and scaffold both made it\n`;
  expect(await resolve(folder)).toMatchObject({ code: 4, stdout: listed });
  expect((await resolve(folder, { theirs: true })).code).toBe(0);
  expect(read(path)).toContain('export const Link = ');
  expect((await check(folder)).code).toBe(0);
});

describe('scaffold resolve', () => {
  test('lists what is open where it is now, status 4', async () => {
    const { folder, edit } = await conflicted();
    await edit(policy, /^/, '// a line more\n');
    const listed = { code: 4, stdout: expect.stringMatching(/^src\/posts\/policy\.ts:10 {2}/) };
    expect(await resolve(folder)).toMatchObject(listed);
    expect(await resolve(folder, { paths: ['src/posts'] })).toMatchObject(listed);
    expect((await resolve(folder, { paths: ['src/tags'] })).code).toBe(0);
    const inside = await resolve(join(folder, 'src/posts'));
    expect(inside).toMatchObject({ code: 4, stdout: expect.stringMatching(/^policy\.ts:10 {2}/) });
  });

  test.each([
    ['--ours', { ours: true }, 'update: signedIn,'],
    ['--theirs', { theirs: true }, "update: owner('author_id'),"],
  ])('takes a side: %s', async (_, side, line) => {
    const { folder, read } = await conflicted();
    const { code, stdout, stderr } = await resolve(folder, { ...side, paths: [policy] });
    expect(code).toBe(0);
    expect(stderr).toMatch(/All conflicts are resolved\.\n$/);
    expect(stdout).toMatch(/^resolved {2}src\/posts\/policy\.ts:9 {2}/);
    expect(read(policy)).toContain(`  create: signedIn,\n  ${line}\n  delete: `);
    expect((await check(folder)).code).toBe(0);
    expect((await regenerate(folder)).stdout).toContain('in step');
  });

  test('names each place by the line where it was listed', async () => {
    const { folder, edit } = await blogProject();
    await edit(policy, base, 'update: signedIn');
    await edit(policy, /delete: .*/, 'delete: signedIn,');
    await edit('schema.yaml', 'update: [owner, editor]', 'update: [owner]');
    await edit('schema.yaml', 'delete: [owner, admin]', 'delete: editor');
    await regenerate(folder);
    const listed = linesOf(await resolve(folder));
    expect(listed).toHaveLength(2);
    expect(linesOf(await resolve(folder, { theirs: true }))).toEqual(listed);
  });

  test('--theirs brings the imports that its lines need', async () => {
    const project = await blogProject();
    await project.edit(policy, base, 'update: signedIn');
    const imported = /import \{([^}]*)\} from '..\/lib\/access.ts';/;
    const names = imported.exec(project.read(policy))?.[1] ?? '';
    expect(names).toContain('owner');
    const others = names.replace(/\bowner,\s*/, '');
    await project.edit(policy, names, others);
    await project.edit(policy, /delete: .*/, 'delete: signedIn,');
    await project.edit('schema.yaml', 'update: [owner, editor]', 'update: [owner]');
    expect((await regenerate(project.folder)).code).toBe(4);
    const { code, stderr } = await resolve(project.folder, { theirs: true });
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /note SCF508 {2}Your code was not type-checked: [^]*\n\nAll conflicts are resolved\.\n$/,
    );
    expect(imported.exec(project.read(policy))?.[1]).toContain('owner');
    expect((await regenerate(project.folder)).stdout).toContain('in step');
  });

  test.each([
    ['--ours', { ours: true }, "create: role('admin')", 'authenticated'],
    ['--theirs', { theirs: true }, 'create: signedIn', 'admin'],
  ])('%s leaves no import that only the other side needs', async (_, side, ours, rule) => {
    const { folder, edit, read } = await blogProject();
    const path = 'src/tags/policy.ts';
    const imported = () => /import \{([^}]*)\} from '..\/lib\/access.ts';/.exec(read(path))?.[1];
    if (ours.includes('signedIn')) await edit(path, ' role ', ' role, signedIn ');
    await edit(path, "create: role('editor')", ours);
    await edit('schema.yaml', 'create: editor, update: editor', `create: ${rule}, update: editor`);
    expect((await regenerate(folder)).code).toBe(4);
    expect(imported()).toContain('signedIn');
    expect((await resolve(folder, side)).code).toBe(0);
    expect(imported()).not.toContain('signedIn');
  });

  test('believes --edited when no marker is left', async () => {
    const { folder, edit, read } = await conflicted();
    const early = await resolve(folder, { edited: true });
    expect(early.code).toBe(4);
    expect(early.stderr).toMatch(/^error SCF507 {2}`src\/posts\/policy\.ts` still has/);
    await edit(policy, /<{7}[\s\S]*>{7}.*\n/, "  update: role('editor'),\n");
    expect((await resolve(folder, { edited: true })).code).toBe(0);
    expect(read(policy)).toContain("update: role('editor')");
    expect((await regenerate(folder)).stdout).toContain('in step');
  });

  test('has status 2 where no conflict is open, and outside of a project', async () => {
    const { folder } = await conflicted();
    const { code, stderr } = await resolve(folder, { ours: true, paths: ['src/app.ts'] });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(/SCF516/) });
    await rm(join(folder, '.scaffold'), { recursive: true });
    expect(await resolve(folder)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/SCF503/),
    });
  });
});

const linesOf = ({ stdout }: { stdout: string }) =>
  [...stdout.matchAll(/policy\.ts:(\d+)/g)].map(([, line]) => line);
