import { fits, type Lengths } from '../../../patterns/samples.ts';

const kinds = [
  ['[0-9]', '0123456789'],
  ['[a-z]', 'abcdefghijklmnopqrstuvwxyz'],
  ['[A-Z]', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
] as const;

/** `TEA-100` → `[A-Z]{3}-[0-9]{3}`, as far as the pattern allows; undefined if faker cannot read it. */
export function shapeOf(sample: string, pattern: string, lengths: Lengths): string | undefined {
  if (!/^[\w @#:/-]+$/.test(sample)) return undefined;
  const isFit = fits(pattern, lengths);
  const characters = [...sample];
  const open = characters.map((character, at) => {
    const kind = kinds.find(([, letters]) => letters.includes(character));
    const others = [0, 5, -1].map((place) => kind?.[1].at(place) ?? character);
    const isOpen = others.every((other) => isFit(characters.with(at, other).join('')));
    return isOpen ? kind : undefined;
  });
  if (open.every((kind) => kind === undefined) || !allFit(characters, open, isFit))
    return undefined;
  const shape = open.map((kind, at) => kind?.[0] ?? characters[at]).join('');
  return shape.replace(/(\[...\])\1+/g, (run, one: string) => `${one}{${run.length / 5}}`);
}

/** Whether all open places may change at once: tried with some letters and digits. */
function allFit(
  characters: readonly string[],
  open: readonly ((typeof kinds)[number] | undefined)[],
  isFit: (text: string) => boolean,
): boolean {
  const letter = (turn: number, at: number) => {
    const [, letters = ''] = open[at] ?? [];
    return letters[(turn * 7 + at * (turn + 3)) % letters.length];
  };
  return Array.from({ length: 40 }, (_, turn) =>
    characters.map((character, at) => letter(turn, at) ?? character).join(''),
  ).every(isFit);
}
