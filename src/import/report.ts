import { groupBy } from '../group-by.ts';
import type { Note, Notebook } from './notes.ts';

const headings: Readonly<Record<Note['kind'], readonly [heading: string, about: string]>> = {
  changed: ['Changed', 'The schema expresses these differently.'],
  left: ['Left out', 'These are not in the schema.'],
  access: ['Access', 'Guessed from the relations, and always restrictive: review these first.'],
};

/** The share of elements that mean the same, and what became of the others. */
export function printImportReport({ notes, exactCount }: Notebook, source: string): string {
  const kinds = ['changed', 'left', 'access'] as const;
  const sections = kinds.flatMap((kind) => {
    const found = notes.filter((note) => note.kind === kind);
    const [heading, about] = headings[kind];
    return found.length === 0 ? [] : [`## ${heading}: ${found.length}`, about, ...groups(found)];
  });
  const share = printPercent(shareOf({ notes, exactCount }));
  const verdict = `${exactCount} of ${countElements({ notes, exactCount })} elements mean the same here (${share}).`;
  return `${[`# What became of \`${source}\``, verdict, ...sections].join('\n\n')}\n`;
}

type Counted = Pick<Notebook, 'notes' | 'exactCount'>;

/** Access is no element, because Prisma has none. */
export function countElements({ notes, exactCount }: Counted): number {
  return exactCount + notes.filter(({ kind }) => kind !== 'access').length;
}

export const shareOf = (counted: Counted) =>
  counted.exactCount / Math.max(1, countElements(counted));

export const printPercent = (share: number) => `${(share * 100).toFixed(1)} %`;

/** A list for each kind of note. */
function groups(notes: readonly Note[]): readonly string[] {
  return [...groupBy(notes, (note) => note.became)].map(([became, all]) => {
    const lines = all.map(({ place, what }) =>
      place === what ? `- ${what}` : `- ${what} (${place})`,
    );
    return [`**${became}**`, '', ...lines].join('\n');
  });
}
