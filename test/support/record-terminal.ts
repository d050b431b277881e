import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTerminal } from '../cli/pseudo-terminal.ts';
import { root } from './root.ts';
import { scratchFolder } from './scratch.ts';

// node --import @oxc-node/core/register test/support/record-terminal.ts: makes the picture of the README by running
// these commands on a real terminal.
const schema = `version: 1
app: { name: journal }
auth: { roles: [editor] }
models:
  Post:
    owner: author
    fields:
      title: { type: string, max_length: 160 }
      body: text
    relations: { author: User }
    access: { read: public, update: [owner, editor] }
`;
const sound = schema.replace('{ type: string, max_length: 160 }', 'string(..160)');
const steps: readonly (readonly [command: string, before?: () => Promise<void>])[] = [
  ['npx scaffold check journal.yaml'],
  ['npx scaffold new ../journal --schema journal.yaml', () => writeFile(file(), sound)],
  [
    'npx scaffold regenerate ../journal',
    () =>
      writeFile(
        join(folder, '../journal/schema.yaml'),
        sound.replace(
          /title: (.*)/,
          'headline: { type: string(..160), was: title }\n      summary: string(..300)?',
        ),
      ),
  ],
];

const folder = join(await scratchFolder('recording'), 'scaffold');
const file = () => join(folder, 'journal.yaml');
await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
await symlink(join(root, 'bin/scaffold.js'), join(folder, 'node_modules/.bin/scaffold'));
await writeFile(join(folder, 'package.json'), '{ "private": true }');
await writeFile(file(), schema);

const escape = '\u001b';
const color = new RegExp(`(${escape}\\[[\\d;]*m)`, 'g');
const rewrites = new RegExp(`\r|${escape}\\[2K|${escape}\\[1G`);
const cursor = new RegExp(`${escape}\\[[?\\d;]*[A-Zac-ln-z]`, 'g');

const lines: string[] = [];
for (const [command, before] of steps) {
  await before?.();
  const { stdout } = await onTerminal(command, { cwd: folder, env: { COLUMNS: '100' } });
  if (lines.length > 0) lines.push('');
  lines.push(`${escape}[32m$${escape}[0m ${command}`, ...shownLines(stdout));
}
await mkdir(join(root, 'docs/pictures'), { recursive: true });
await writeFile(join(root, 'docs/pictures/terminal.svg'), picture(lines));

/** What is left on the screen: a line that is written again shows the last text only; npm's own warnings are left out. */
function shownLines(output: string): readonly string[] {
  const left = output
    .split(/\r?\n/)
    .map((line) => line.split(rewrites).findLast((it) => it !== '') ?? '')
    .map((line) => line.replaceAll(cursor, ''))
    .filter((line) => !line.replaceAll(color, '').startsWith('npm warn'));
  while (left.at(-1) === '') left.pop();
  while (left[0] === '') left.shift();
  return left;
}

/** Each line comes a moment after the one before it, and stays; at once for those who want no motion. */
function picture(shown: readonly string[]): string {
  const height = 17;
  const rows = shown.map((line, at) => {
    const delay = (at * 0.09).toFixed(2);
    return `<text y="${44 + at * height}" style="animation-delay:${delay}s">${spans(line)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 ${60 + shown.length * height}" role="img" aria-label="scaffold checks a schema, makes a project and changes it, in a terminal">
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #e6edf3; white-space: pre; animation: come 0.2s both; }
.s1 { font-weight: 700; } .s2 { fill: #9198a1; } .s31 { fill: #ff7b72; } .s32 { fill: #3fb950; } .s33 { fill: #d29922; } .s36 { fill: #39c5cf; }
@keyframes come { from { opacity: 0; } }
@media (prefers-reduced-motion: reduce) { text { animation: none; } }
</style>
<rect width="100%" height="100%" rx="8" fill="#0d1117" stroke="#30363d"/>
<circle cx="20" cy="18" r="5" fill="#ff5f57"/><circle cx="38" cy="18" r="5" fill="#febc2e"/><circle cx="56" cy="18" r="5" fill="#28c840"/>
${rows.join('\n')}
</svg>
`;
}

function spans(line: string): string {
  let styles: readonly string[] = [];
  let x = 16;
  return line
    .split(color)
    .map((part) => {
      const code = part.startsWith(escape) ? part.slice(2, -1) : undefined;
      if (code !== undefined) {
        const isEnd = ['', '0', '22', '39'].includes(code);
        styles = isEnd ? [] : [...styles, ...code.split(';').map((it) => `s${it}`)];
        return '';
      }
      if (part === '') return '';
      const text = part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      const span = `<tspan x="${x.toFixed(1)}" class="${styles.join(' ')}">${text}</tspan>`;
      x += part.length * 7.82;
      return span;
    })
    .join('');
}
