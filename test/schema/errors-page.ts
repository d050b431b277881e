import { writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { codes as runCodes } from '../../src/commands/explain.ts';
import { hazardCodes } from '../../src/evolve/hazards/hazard.ts';
import { codes as schemaCodes, type Explanation } from '../../src/schema/codes.ts';

export const errorsPageFile = new URL('../../docs/errors.md', import.meta.url);

const families: readonly { readonly start: string; readonly title: string }[] = [
  { start: 'SCF0', title: 'Usage and files' },
  { start: 'SCF1', title: 'The schema file: syntax, keys and names' },
  { start: 'SCF2', title: 'The schema file: fields and types' },
  { start: 'SCF3', title: 'The schema file: relations' },
  { start: 'SCF4', title: 'Migrations' },
  { start: 'SCF5', title: 'Drift and merge' },
  { start: 'SCF6', title: 'Environment' },
  { start: 'SCF7', title: 'The schema file: access' },
  { start: 'SCF9', title: 'Our mistakes' },
];

/** `docs/errors.md`: what `scaffold explain` says of every code. */
export async function errorsPage(): Promise<string> {
  const all = Object.entries({ ...runCodes, ...schemaCodes, ...hazardCodes }).toSorted(
    ([left], [right]) => (left < right ? -1 : 1),
  );
  const sections = families.flatMap(({ start, title }) => {
    const members = all.filter(([code]) => code.startsWith(start));
    return members.length === 0 ? [] : [`## ${title}`, ...members.map(section)];
  });
  const page = `${[intro, ...sections].join('\n\n')}\n`;
  return format(page, { ...(await resolveConfig(errorsPageFile)), parser: 'markdown' });
}

export async function writeErrorsPage(): Promise<void> {
  writeFileSync(errorsPageFile, await errorsPage());
}

const intro = `# Errors

Every error has a code that never changes its meaning. \`scaffold explain SCF201\` prints the same as this page.
A problem in the schema names its line and column, and all problems of a file are reported at once; nothing is written then.
Examples of schemas leave out their first lines, \`version: 1\` and \`app: { name: blog }\`, where they do not matter.`;

function section([code, { title, explanation, bad, good }]: [string, Explanation]): string {
  const isSchema = code in schemaCodes && code !== 'SCF112';
  const block = (text: string) => {
    const language = isSchema || /^(models|enums):/.test(text) ? 'yaml' : 'sh';
    return `\`\`\`${language}\n${shortened(text)}\n\`\`\``;
  };
  return [
    `### ${code}`,
    `**${title}.** ${explanation}`,
    'Instead of',
    block(bad),
    'write',
    block(good),
  ].join('\n\n');
}

/** Examples of too much are cut: their length is their point. */
function shortened(text: string): string {
  return text
    .split('\n')
    .map((line) => (line.length > 120 ? `${line.slice(0, 110)} … ${line.slice(-4)}` : line))
    .join('\n');
}
