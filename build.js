// Writes `dist` from `src` with the compiler that ts-morph brings, so that who only runs scaffold needs no other.
// It looks at no types: `npm run typecheck` does.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const stamp = 'dist/.built-from';
const sources = hashOfSources();
if (readStamp() === sources) process.exit();
rmSync(stamp, { force: true });

const { ts } = await import('ts-morph');
const { config } = ts.readConfigFile('tsconfig.build.json', ts.sys.readFile);
const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
const program = ts.createProgram(fileNames, {
  ...options,
  listEmittedFiles: true,
  noCheck: true,
  noLib: true,
  noResolve: true,
  types: [],
});

const { emittedFiles = [], diagnostics } = program.emit();
const problems = [...program.getSyntacticDiagnostics(), ...diagnostics];
for (const { file, start = 0, messageText } of problems) {
  const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
  const text = ts.flattenDiagnosticMessageText(messageText, '\n');
  process.stderr.write(`${file?.fileName}:${line}: ${text}\n`);
  process.exitCode = 1;
}

// What is left of modules that are gone from `src` goes last: whoever runs `dist` meanwhile misses nothing.
if (problems.length === 0) {
  const written = new Set(emittedFiles.map(ts.sys.resolvePath));
  for (const path of ts.sys.readDirectory(options.outDir).map(ts.sys.resolvePath)) {
    if (!written.has(path)) rmSync(path, { force: true });
  }
  writeFileSync(stamp, sources);
}

/** Of everything a build is made from: npm runs another one when `npx scaffold` is first used in a clone. */
function hashOfSources() {
  const hash = createHash('sha256');
  const names = readdirSync('src', { recursive: true }).filter((name) => name.endsWith('.ts'));
  const settings = ['tsconfig.json', 'tsconfig.build.json', import.meta.filename];
  for (const path of [...settings, ...names.toSorted().map((name) => join('src', name))]) {
    hash.update(`${path}\0`).update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

function readStamp() {
  try {
    return readFileSync(stamp, 'utf8');
  } catch {
    return undefined;
  }
}
