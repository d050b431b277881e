import { fits, type Lengths } from '../../../patterns/samples.ts';

const characterKinds = [
  ['[0-9]', '0123456789'],
  ['[a-z]', 'abcdefghijklmnopqrstuvwxyz'],
  ['[A-Z]', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
] as const;

/** A pattern for faker from a sample: `TEA-100` → `[A-Z]{3}-[0-9]{3}`. Undefined if faker cannot read the pattern. */
export function findShape(sample: string, pattern: string, lengths: Lengths): string | undefined {
  if (!/^[\w @#:/-]+$/.test(sample)) return undefined;
  const isFit = fits(pattern, lengths);
  const characters = [...sample];
  const open = characters.map((character, at) => {
    const kind = characterKinds.find(([, letters]) => letters.includes(character));
    const isOpen = sampledIndexes.every((index) =>
      isFit(characters.with(at, kind?.[1].at(index) ?? character).join('')),
    );
    return isOpen ? kind : undefined;
  });
  // All characters that may differ change at once.
  const others = sampledIndexes.map((index) =>
    characters.map((character, at) => open[at]?.[1].at(index - at) ?? character).join(''),
  );
  if (open.every((kind) => kind === undefined) || !others.every(isFit)) return undefined;
  const shape = open.map((kind, at) => kind?.[0] ?? characters[at]).join('');
  return shape.replace(/(\[...\])\1+/g, (run, one: string) => `${one}{${run.length / 5}}`);
}

const sampledIndexes = [0, 5, -1];
