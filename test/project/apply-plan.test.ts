import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { applyPlan } from '../../src/project/journal/apply-plan.ts';
import { planUndo } from '../../src/project/journal/plan-undo.ts';
import { recover } from '../../src/project/journal/replay.ts';
import { withRunLock } from '../../src/project/journal/run-lock.ts';
import { makeProject, openProject, type TestProject } from './support/project.ts';
import { library, renamedBook, withSubtitle } from './support/schemas.ts';

// Files share a worker: what was loaded for others is not mocked, and what is mocked here is not for others.
vi.hoisted(() => vi.resetModules());
afterAll(() => vi.resetModules());

vi.mock('node:fs/promises', { spy: true });

const accepted = ['SCF441:Volume', 'SCF441:Book'];
const schemaFile = 'src/books/schema.ts';

/** Just before the step at which something else happens; the run is a rename of a model with edits. */
async function makeRun() {
  const project = await makeProject(library);
  project.edit(schemaFile, (text) => `// Mine.\n${text}`);
  const { plan } = await project.plan(renamedBook, { accepted });
  return { project, plan, before: project.files() };
}

afterEach(() => {
  for (const hook of Object.values(hooks)) hook(() => undefined);
});

describe('a run that is taken back', () => {
  test('leaves every file as it was, and nothing to take back', async () => {
    const { project, plan, before } = await makeRun();
    await project.apply(plan);
    expect(project.files()).not.toEqual(before);
    await undo(project);
    expect(project.files()).toEqual(before);
    await expect(planUndo(project.folder)).rejects.toThrow('There is no run to undo');
  });

  test('is refused when a file was edited since, by name', async () => {
    const { project, plan } = await makeRun();
    await project.apply(plan);
    project.edit('src/volumes/queries.ts', (text) => `${text}// Later.\n`);
    await expect(planUndo(project.folder)).rejects.toThrow(
      'Edited since the last run: `src/volumes/queries.ts`',
    );
  });

  test('is the last one, and no other', async () => {
    const project = await makeProject(library);
    await project.regenerate(withSubtitle);
    const after = project.files();
    await project.regenerate(
      renamedBook.replace('pages: int?', 'pages: int?\n      subtitle: string?'),
      {
        accepted,
      },
    );
    await undo(project);
    expect(project.files()).toEqual(after);
  });

  test('is taken back with a later run that wrote no file of the project', async () => {
    const project = await makeProject(library);
    const before = project.files();
    await project.regenerate(withSubtitle);
    const filled = withSubtitle.replace(
      'pages: int?',
      'pages: { type: int, optional: true, backfill: 0 }',
    );
    const { plan } = await project.regenerate(filled);
    expect(plan.changes).toEqual([]);
    expect(plan.recordWrites.map(({ path }) => path)).toEqual([
      '.scaffold/schema.json',
      '.scaffold/lock.json',
    ]);
    await undo(project);
    expect(project.files()).toEqual(before);
  });

  test('does not exist in a new project', async () => {
    const project = await makeProject(library);
    await expect(planUndo(project.folder)).rejects.toThrow('There is no run to undo');
  });
});

describe('something goes wrong in the middle', () => {
  test('an editor saves a file: that stays, and everything else is as it was', async () => {
    const { project, plan, before } = await makeRun();
    const saved = 'src/routes.ts';
    atCall('rename', 4, () => project.write(saved, 'saved meanwhile\n'));
    await expect(applyPlan(project.folder, plan)).rejects.toThrow(
      `\`${saved}\` was changed by something else`,
    );
    expect(project.files()).toEqual({ ...before, [saved]: 'saved meanwhile\n' });
    expect(existsSync(join(project.folder, '.scaffold/run'))).toBe(false);
  });

  test('a file was changed between planning and writing: nothing is written', async () => {
    const { project, plan } = await makeRun();
    project.edit('README.md', (text) => `${text}!\n`);
    const before = project.files();
    await expect(applyPlan(project.folder, plan)).rejects.toThrow('`README.md` was changed');
    expect(project.files()).toEqual(before);
  });

  test.each([
    ['while staging', 'copyFile'],
    ['while moving', 'rename'],
    ['while removing', 'unlink'],
    ['while making a folder', 'mkdir'],
  ] as const)('the disk is full %s', async (_, call) => {
    const { project, plan, before } = await makeRun();
    atCall(call, 5, () => {
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    });
    await expect(applyPlan(project.folder, plan)).rejects.toThrow('ENOSPC');
    expect(project.files()).toEqual(before);
    expect(existsSync(join(project.folder, '.scaffold/run'))).toBe(false);
  });
});

/** What a process that is killed there leaves behind. */
async function crash(call: Call, at: number) {
  const { project, plan, before } = await makeRun();
  const left = openProject(mkdtempSync(join(tmpdir(), 'scaffold-crash-')));
  onTestFinished(() => rmSync(left.folder, { recursive: true }));
  atCall(call, at, () => cpSync(project.folder, left.folder, { recursive: true }));
  await applyPlan(project.folder, plan);
  return { left, before, after: project.files() };
}

describe('a run that was killed', () => {
  test.each([
    ['before its journal was written', 'copyFile', 3, 'undone'],
    ['when its journal was', 'rename', 2, 'finished'],
    ['half through', 'rename', 12, 'finished'],
    ['while it removed what moved', 'unlink', 2, 'finished'],
  ] as const)('%s', async (_, call, at, expected) => {
    const { left, before, after } = await crash(call, at);
    expect(await recover(left.folder)).toBe(expected);
    expect(left.files()).toEqual(expected === 'finished' ? after : before);
    expect(await recover(left.folder)).toBe('nothing');
  });

  test('is taken back when a file was edited since, and the edit stays', async () => {
    const { left, before } = await crash('rename', 12);
    left.write('src/database/tables.ts', 'edited since\n');
    expect(await recover(left.folder)).toBe('undone');
    expect(left.files()).toEqual({ ...before, 'src/database/tables.ts': 'edited since\n' });
  });

  test('is taken back, and what its owner wrote meanwhile stays, even if the run was to write the same', async () => {
    const { left, before, after } = await crash('rename', 2);
    const made = 'src/volumes/routes.ts';
    const own = { 'src/database/tables.ts': 'edited since\n', [made]: after[made] ?? '' };
    for (const [path, text] of Object.entries(own)) left.write(path, text);
    expect(await recover(left.folder)).toBe('undone');
    expect(left.files()).toEqual({ ...before, ...own });
  });

  test('leaves a journal that leads out of the project: it is not followed', async () => {
    const { left, before } = await crash('rename', 2);
    left.edit('.scaffold/run/journal.json', (text) =>
      text.replace('src/routes.ts', '../routes.ts'),
    );
    expect(await recover(left.folder)).toBe('undone');
    expect(left.files()).toEqual(before);
    expect(existsSync(join(left.folder, '../routes.ts'))).toBe(false);
  });

  test('leaves a journal for a folder that has become a link: it is refused', async () => {
    const { left } = await crash('rename', 2);
    const elsewhere = mkdtempSync(join(tmpdir(), 'scaffold-elsewhere-'));
    onTestFinished(() => rmSync(elsewhere, { recursive: true }));
    left.remove('src/books');
    symlinkSync(elsewhere, join(left.folder, 'src/books'));
    await expect(recover(left.folder)).rejects.toThrow('is a symbolic link');
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});

describe('two runs at once', () => {
  const lock = '.scaffold/run.lock';
  const left = `${lock}/left`;

  test('one works, the other says so and does nothing', async () => {
    const project = await makeProject(library);
    const tried: ('worked' | 'refused')[] = [];
    const run = () =>
      withRunLock(project.folder, async () => {
        tried.push('worked');
        while (tried.length < 3) await setTimeout(5);
      }).catch((error: unknown) => {
        tried.push('refused');
        throw error;
      });
    const results = await Promise.allSettled([run(), run(), run()]);
    expect(tried.toSorted()).toEqual(['refused', 'refused', 'worked']);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(2);
    await expect(run()).resolves.toBeUndefined();
    expect(project.exists(lock)).toBe(false);
  });

  test.each([
    ['of a process that is gone', { pid: gonePid(), host: hostname(), started: 1 }, true],
    [
      'of a process that had this number before',
      { pid: process.pid, host: hostname(), started: 1 },
      true,
    ],
    ['of a process that runs', { pid: process.ppid, host: hostname(), started: 1 }, false],
    ['of another machine', { pid: gonePid(), host: 'elsewhere', started: 1 }, false],
    ['that is not a lock', 'nonsense', true],
  ] as const)('a lock %s', async (_, holder, isFree) => {
    const project = await makeProject(library);
    project.write(left, JSON.stringify(holder));
    const run = withRunLock(project.folder, () => Promise.resolve('done'));
    if (isFree) await expect(run).resolves.toBe('done');
    else await expect(run).rejects.toThrow('Another run is under way');
    expect(project.exists(lock)).toBe(!isFree);
  });

  test('of many that find a lock left behind, one works at a time', async () => {
    const project = await makeProject(library);
    let working = 0;
    let most = 0;
    const run = () =>
      withRunLock(project.folder, async () => {
        working += 1;
        most = Math.max(most, working);
        await setTimeout(1);
        working -= 1;
      });
    const pid = gonePid();
    for (let round = 0; round < 30; round += 1) {
      project.write(left, JSON.stringify({ pid, host: hostname(), started: 1 }));
      const results = await Promise.allSettled(Array.from({ length: 20 }, run));
      expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
    }
    expect(most).toBe(1);
  });

  test('the lock is released when the work fails', async () => {
    const project = await makeProject(library);
    await expect(
      withRunLock(project.folder, () => Promise.reject(new Error('broken'))),
    ).rejects.toThrow('broken');
    expect(project.exists(lock)).toBe(false);
  });
});

/** The number of a process that has ended. */
function gonePid(): number {
  return spawnSync(process.execPath, ['-e', '']).pid;
}

async function undo({ folder }: TestProject): Promise<void> {
  await applyPlan(folder, await planUndo(folder), { undoable: false });
}

type Call = 'rename' | 'copyFile' | 'unlink' | 'mkdir';

/** Something happens right before the n-th call of one function of the file system. */
function atCall(call: Call, at: number, happens: () => void): void {
  let count = 0;
  hooks[call](() => {
    count += 1;
    if (count === at) happens();
  });
}

const actual = await vi.importActual<typeof fs>('node:fs/promises');

const hooks: Readonly<Record<Call, (step: () => void) => void>> = {
  rename: (step) => {
    vi.mocked(fs.rename).mockImplementation(async (...given) => {
      step();
      await actual.rename(...given);
    });
  },
  copyFile: (step) => {
    vi.mocked(fs.copyFile).mockImplementation(async (...given) => {
      step();
      await actual.copyFile(...given);
    });
  },
  unlink: (step) => {
    vi.mocked(fs.unlink).mockImplementation(async (...given) => {
      step();
      await actual.unlink(...given);
    });
  },
  mkdir: (step) => {
    vi.mocked(fs.mkdir).mockImplementation(async (...given) => {
      step();
      return actual.mkdir(...given);
    });
  },
};
