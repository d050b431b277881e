/** A text with conflict markers as it would be with one side of each taken; every line keeps its number. */
export function oneSide(text: string, side: 'mine' | 'theirs'): string {
  let part = 'both';
  return text
    .split('\n')
    .map((line) => {
      const next = markers.find(([mark]) => line.startsWith(mark));
      if (next !== undefined) part = next[1];
      return next === undefined && (part === 'both' || part === side) ? line : '';
    })
    .join('\n');
}

const markers = [
  ['<<<<<<< ', 'mine'],
  ['||||||| ', 'base'],
  ['=======', 'theirs'],
  ['>>>>>>> ', 'both'],
] as const;
