/**
 * Whether a path names a file inside the project: relative, plain folders and a plain file name, nothing of git's.
 * Holds on every system, so that a record made on one is safe on another.
 */
export function isSafePath(path: string): boolean {
  return path.length > 0 && path.split('/').every(isSafePart);
}

function isSafePart(part: string): boolean {
  return !/^\.{0,2}$|^\.git$|[\\:*?"<>|\p{Cc}]|[. ]$/iu.test(part) && !reservedOnWindows.test(part);
}

const reservedOnWindows = /^(?:aux|con|nul|prn|(?:com|lpt)\d)(?:\..*)?$/i;
