import { blocksOf } from './walkthrough.ts';

/** A command that a page tells its reader to type. */
export interface Told {
  readonly line: number;
  readonly words: readonly string[];
}

const heads = ['scaffold', 'scaffold-server', 'npm', 'npx', 'curl'];

/** Those of fenced blocks and of code within sentences, in the order of the page. */
export function commandsOf(page: string): readonly Told[] {
  const blocks = blocksOf(page)
    .filter(({ language }) => ['sh', 'bash', 'console', 'yaml'].includes(language))
    .flatMap(({ text, line }) =>
      withoutContinuations(text.replaceAll(/^ *- run: /gm, '')).map((it, at) => ({
        text: it,
        line: line + at + 1,
      })),
    );
  const prose = page.replaceAll(/^```[^]*?^```$/gm, (block) => block.replaceAll(/[^\n]/g, ''));
  const spans = [...prose.matchAll(/`([^`]+)`/g)].map(({ 1: text = '', index }) => ({
    text,
    line: prose.slice(0, index).split('\n').length,
  }));
  return [...blocks, ...spans].flatMap(({ text, line }) =>
    parts(text)
      .map((words) => ({ line, words }))
      .filter(
        ({ words: [head = '', second] }) =>
          heads.includes(head.split('@', 1)[0] ?? '') && second !== undefined,
      ),
  );
}

/** Lines that end in a backslash or in an open quote go on in the next one. */
function withoutContinuations(text: string): readonly string[] {
  return text
    .replaceAll(/\\\n\s*/g, ' ')
    .replaceAll(/\|\n\s*/g, '| ')
    .split('\n');
}

/** The words of each command of a line, without its comment and redirections. */
function parts(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  for (const [word] of line.matchAll(
    /'[^']*'|"[^"]*"|\$\(|<[\w=:[\] ]+>|[|&;()<>]+|#.*|(?:[^\s'"|&;()<>#$]|\S#|\$(?!\()|(?<=\S)'[^']*'|(?<=\S)"[^"]*")+/g,
  )) {
    if (word.startsWith('#')) break;
    if (/^([|&;()<>]+|\$\()$/.test(word)) commands.push([]);
    else commands.at(-1)?.push(word.replaceAll(/^['"]|['"]$/g, ''));
  }
  return commands.map((words) => {
    const first = words.findIndex((word) => !/^\w+=/.test(word));
    const told = words.slice(Math.max(0, first));
    return told[0] === 'npx' ? told.slice(1) : told;
  });
}
