import { basePath, hashText, recordPath } from '../../../src/project/paths.ts';
import { readRecord } from '../../../src/project/record.ts';
import type { Tree } from '../../regenerate/support/edit.ts';

/** What an earlier version of scaffold called or wrote otherwise, in all that it made. */
const formerWays: readonly (readonly [now: RegExp, formerly: string])[] = [
  [/\bsendPage\b/g, 'sendList'],
  [/\brequireCreator\b/g, 'checkCreator'],
  [/\bcurrentUser\(request\)\.id/g, 'currentUser(request)["id"]'],
  [/\/\*\* The row, if the viewer may read it\. \*\//g, '/** One row, where it may be read. */'],
];

/**
 * The project as if an earlier version had made it: what that wrote otherwise stands so in the files, and in what is
 * remembered of them. The next run is an upgrade. Answers how many files it concerns.
 */
export function makeOlder(tree: Tree, quarter: number): number {
  const [now, formerly] = formerWays[quarter % formerWays.length] ?? [/$^/g, ''];
  const older = (text: string) => text.replace(now, () => formerly);
  const record = tree.read(recordPath);
  const changed = Object.entries(readRecord(record).files).flatMap(([path, { kind, base }]) => {
    if (kind !== 'ts' || !tree.paths().includes(basePath(path))) return [];
    const text = tree.read(basePath(path));
    const before = older(text);
    if (before === text) return [];
    tree.write(basePath(path), before);
    if (tree.paths().includes(path)) tree.write(path, older(tree.read(path)));
    return [[base, hashText(before)] as const];
  });
  const aged = changed.reduce((text, [from, to]) => text.replaceAll(from, to), record);
  const templates = `"templates": "sha256:${'0'.repeat(64)}"`;
  tree.write(recordPath, aged.replace(/"templates": "[^"]*"/, templates));
  return changed.length;
}

/** Whether what the earlier version wrote is left anywhere. */
export function isUpgraded(tree: Tree, quarter: number): boolean {
  const [, formerly = ''] = formerWays[quarter % formerWays.length] ?? [];
  return !tree
    .paths()
    .some((path) => /^(?:src|test)\//.test(path) && tree.read(path).includes(formerly));
}
