#!/usr/bin/env node
// Plain JavaScript that an old Node can read, so that it can say that it is too old.
import { existsSync } from 'node:fs';

var node = process.versions.node.split('.').map(Number);
var fits = (node[0] === 20 && node[1] >= 19) || (node[0] === 22 && node[1] >= 13) || node[0] >= 24;
var program = new URL('../dist/cli.js', import.meta.url);

if (!fits) {
  stop(
    'SCF601  scaffold needs Node 20.19, 22.13, or 24 and newer; this is Node ' +
      process.versions.node +
      '.',
    'Install a newer Node from https://nodejs.org, and run the same command again.',
  );
} else if (!existsSync(program)) {
  stop(
    'SCF602  scaffold is not built yet.',
    'Run `npm ci` in the folder of its package.json, then the same command again.',
  );
} else {
  import(program.href);
}

function stop(message, help) {
  process.stderr.write('error ' + message + '\n  help: ' + help + '\nNothing was written.\n');
  process.exitCode = 6;
}
