import { takeSide } from '../merge/markers.ts';
import type { Kind } from '../render/rendered-file.ts';

interface Taken {
  readonly side: 'mine' | 'theirs';
  /** As it was made, with every import that its lines need. */
  readonly next: string;
}

/**
 * One side of every conflict, without the imports that only the other side needs, and, where the lines that were made are
 * taken, with those that they need; their owner may have given them up.
 */
export async function takeWholeSide(
  kind: Kind,
  text: string,
  { side, next }: Taken,
): Promise<string> {
  const taken = takeSide(text, side);
  if (kind !== 'ts') return taken;
  const other = takeSide(text, side === 'mine' ? 'theirs' : 'mine');
  // The compiler takes a third of a second to load.
  const { addNeededImports, dropUnneededImports } =
    await import('../merge/typescript/needed-imports.ts');
  const without = dropUnneededImports(taken, other);
  return side === 'theirs' ? addNeededImports(without, next) : without;
}
