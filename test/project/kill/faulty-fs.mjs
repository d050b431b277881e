// @ts-check
// Loaded before the program (`node --import`): counts what it does to the disk below one folder, and lets something
// happen at one of these steps. The program itself knows nothing of it.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';

/**
 * @typedef {object} Fault
 * @property {string} root Steps outside of this folder do not count.
 * @property {string} log Where each step is told, before it is done.
 * @property {number} [at] The step at which it happens; none: steps are only told.
 * @property {'kill' | 'cut' | 'fail' | 'full' | 'edit'} [what]
 *   `kill`: SIGKILL. `cut`: the power goes, and with it the content that was not synced. `fail`: this step fails with
 *   `code`. `full`: from here on nothing can be written. `edit`: somebody saves `path` in an editor.
 * @property {string} [code]
 * @property {string} [path]
 */

/** @type {Fault} */
const fault = JSON.parse(process.env['FAULT'] ?? '{}');
const real = { ...fs };
const realPromises = { ...fs.promises };
const log = real.openSync(fault.log, 'a');

let count = 0;
let isFull = false;
/** Written, and not known to be on the disk: by path. */
const unsynced = new Set();

/**
 * @param {string} name
 * @param {string[]} paths
 * @param {{ takesSpace?: boolean }} [facts]
 */
function step(name, paths, { takesSpace = false } = {}) {
  if (!paths.some(isInside)) return;
  count += 1;
  real.writeSync(log, `${name} ${paths.map((path) => relative(fault.root, path)).join(' → ')}\n`);
  if (count === fault.at) {
    if (fault.what === 'kill') end();
    if (fault.what === 'cut') cutPower();
    if (fault.what === 'fail') throw failure(fault.code ?? 'EIO', name);
    if (fault.what === 'full') isFull = true;
    if (fault.what === 'edit') edit(fault.path ?? '');
  }
  if (isFull && takesSpace) throw failure('ENOSPC', name);
}

/** @param {string} path */
function isInside(path) {
  return path === fault.root || path.startsWith(fault.root + sep);
}

/** @returns {never} */
function end() {
  process.kill(process.pid, 'SIGKILL');
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
}

/** Names are kept in order by the file system; what was not synced is content. */
function cutPower() {
  for (const path of unsynced) if (real.existsSync(path)) real.truncateSync(path, 0);
  end();
}

/** @param {string} path */
function edit(path) {
  real.mkdirSync(dirname(join(fault.root, path)), { recursive: true });
  real.writeFileSync(join(fault.root, path), 'saved in an editor\n');
}

/** @param {string} code @param {string} name */
function failure(code, name) {
  return Object.assign(new Error(`${code}: injected, ${name}`), { code, syscall: name });
}

/** @param {unknown} path */
const at = (path) => resolve(String(path));

/** @param {string} path @param {unknown} content */
async function writeInHalves(path, content) {
  const bytes = Buffer.from(/** @type {string} */ (content));
  real.writeFileSync(path, bytes.subarray(0, bytes.length / 2));
  unsynced.add(path);
  step('write the rest of', [path], { takesSpace: true });
  real.writeFileSync(path, bytes);
}

/** @param {string} path @param {boolean} isForced */
async function removeTree(path, isForced) {
  const found = real.lstatSync(path, { throwIfNoEntry: false });
  if (!found && isForced) return;
  if (!found?.isDirectory()) return patched.unlink(path);
  for (const name of real.readdirSync(path)) await removeTree(join(path, name), isForced);
  await patched.rmdir(path);
}

const handles = new WeakMap();
const changes = /[wa+]/;

/** @type {Record<string, (...given: any[]) => Promise<any>>} */
const patched = {
  async mkdir(path, options) {
    step('mkdir', [at(path)], { takesSpace: !real.existsSync(at(path)) });
    return realPromises.mkdir(path, options);
  },
  async open(path, flags = 'r', mode) {
    if (changes.test(String(flags))) step('open', [at(path)], { takesSpace: true });
    const handle = await realPromises.open(path, flags, mode);
    handles.set(handle, at(path));
    return handle;
  },
  async writeFile(path, content, options) {
    step('write', [at(path)], { takesSpace: true });
    await realPromises.writeFile(path, '', options);
    await writeInHalves(at(path), content);
  },
  async copyFile(from, to, mode) {
    step('copy', [at(from), at(to)], { takesSpace: true });
    await realPromises.copyFile(from, to, mode);
    await writeInHalves(at(to), real.readFileSync(from));
  },
  async rename(from, to) {
    step('rename', [at(from), at(to)]);
    await realPromises.rename(from, to);
    unsynced.delete(at(to));
    if (unsynced.delete(at(from))) unsynced.add(at(to));
  },
  async link(from, to) {
    step('link', [at(from), at(to)], { takesSpace: true });
    return realPromises.link(from, to);
  },
  async symlink(target, path, type) {
    step('symlink', [at(path)], { takesSpace: true });
    return realPromises.symlink(target, path, type);
  },
  async unlink(path) {
    step('unlink', [at(path)]);
    unsynced.delete(at(path));
    return realPromises.unlink(path);
  },
  async rmdir(path) {
    step('rmdir', [at(path)]);
    return realPromises.rmdir(path);
  },
  async rm(path, options = {}) {
    await removeTree(at(path), options.force === true);
  },
  async chmod(path, mode) {
    step('chmod', [at(path)]);
    return realPromises.chmod(path, mode);
  },
  async utimes(path, ...times) {
    step('utimes', [at(path)]);
    return realPromises.utimes(path, times[0], times[1]);
  },
};

Object.assign(fs.promises, patched);

const any = await realPromises.open(fault.log, 'r');
const handle = Object.getPrototypeOf(any);
await any.close();
const { sync, datasync } = handle;
Object.assign(handle, {
  async writeFile(/** @type {unknown} */ content) {
    const path = handles.get(this);
    step('write', [path], { takesSpace: true });
    await writeInHalves(path, content);
  },
  async sync() {
    step('sync', [handles.get(this)]);
    await sync.call(this);
    unsynced.delete(handles.get(this));
  },
  async datasync() {
    step('sync', [handles.get(this)]);
    await datasync.call(this);
    unsynced.delete(handles.get(this));
  },
});

/** What nobody has thought of must not slip through uncounted. */
const unknown = [
  ...['appendFile', 'cp', 'truncate', 'lchown', 'chown', 'lutimes', 'mkdtemp'].map((name) => [
    fs.promises,
    name,
  ]),
  ...['write', 'writev', 'appendFile', 'truncate', 'chmod', 'createWriteStream'].map((name) => [
    handle,
    name,
  ]),
  ...[
    'writeFileSync',
    'appendFileSync',
    'renameSync',
    'unlinkSync',
    'rmSync',
    'rmdirSync',
    'mkdirSync',
  ].map((name) => [fs, name]),
  ...[
    'copyFileSync',
    'cpSync',
    'linkSync',
    'symlinkSync',
    'chmodSync',
    'truncateSync',
    'createWriteStream',
  ].map((name) => [fs, name]),
];
for (const [owner, name] of unknown) {
  Object.assign(owner, {
    [name]() {
      throw new Error(`The harness does not know ${name}: teach it.`);
    },
  });
}

syncBuiltinESMExports();
