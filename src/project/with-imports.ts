import type { Kind } from '../render/rendered-file.ts';

/** With what the lines that were taken need; their owner may have given it up. */
export async function withImports(kind: Kind, text: string, next: string): Promise<string> {
  if (kind !== 'ts') return text;
  // The compiler takes a third of a second to load.
  const { addNeededImports } = await import('../merge/typescript/needed-imports.ts');
  return addNeededImports(text, next);
}
