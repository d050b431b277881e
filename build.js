// Writes `dist` from `src` with the compiler that ts-morph brings, so that who only runs scaffold needs no other.
// It looks at no types: `npm run typecheck` does.
import { ts } from 'ts-morph';

const { config } = ts.readConfigFile('tsconfig.build.json', ts.sys.readFile);
const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
const program = ts.createProgram(fileNames, {
  ...options,
  noCheck: true,
  noLib: true,
  noResolve: true,
  types: [],
});

const problems = [...program.getSyntacticDiagnostics(), ...program.emit().diagnostics];
for (const { file, start = 0, messageText } of problems) {
  const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
  const text = ts.flattenDiagnosticMessageText(messageText, '\n');
  process.stderr.write(`${file?.fileName}:${line}: ${text}\n`);
  process.exitCode = 1;
}
