import { ask } from '../../terminal/ask.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { examples, type Origin } from '../schema-text.ts';

export interface Asked {
  readonly dir?: string;
  readonly schema?: string;
  readonly example?: string;
  /** Some option was given: whoever types options wants no questions. */
  readonly answered: boolean;
}

export interface Choices {
  readonly dir: string;
  readonly origin: Origin;
}

/** At most two questions. The folder is the only thing without a default when there is nobody to ask. */
export async function choose(everywhere: Terminal, asked: Asked): Promise<Choices> {
  const terminal = { ...everywhere, interactive: everywhere.interactive && !asked.answered };
  return {
    dir: asked.dir ?? (await ask(terminal, folderQuestion)),
    origin:
      given(asked) ?? toOrigin(terminal.interactive ? await ask(terminal, schemaQuestion) : 'blog'),
  };
}

const folderQuestion = {
  flag: '[dir]',
  instead: 'For example: `scaffold new my-api`.',
  message: 'Which folder shall the project be in?',
  initial: 'my-api',
};

const schemaQuestion = {
  flag: '--schema',
  instead: 'For example: `scaffold new my-api --example blog`.',
  message: `What shall it be made from: an example (${examples.join(', ')}), or your schema file?`,
  initial: 'blog',
};

function given({ schema, example }: Asked): Origin | undefined {
  if (schema === '-') return { kind: 'stdin' };
  if (schema !== undefined) return { kind: 'file', path: schema };
  return example === undefined ? undefined : { kind: 'example', name: example };
}

function toOrigin(answer: string): Origin {
  return examples.includes(answer)
    ? { kind: 'example', name: answer }
    : { kind: 'file', path: answer };
}
