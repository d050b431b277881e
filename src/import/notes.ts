/** What becomes of something that the schema language expresses differently, or not at all. */
export interface Note {
  /** `left`: it is not in the new schema. */
  readonly kind: 'changed' | 'left' | 'access';
  /** `schema.prisma:14` */
  readonly place: string;
  /** The original, in the words of the file: `Post.rating Decimal(30,10)`. */
  readonly what: string;
  readonly became: string;
}

export interface Notebook {
  /** Counts an element that means the same in the new schema. */
  exact(): void;
  /** Counts a different element, with what became of it. */
  changed(place: string, what: string, became: string): void;
  left(place: string, what: string, why: string): void;
  guessed(place: string, what: string, became: string): void;
  readonly notes: readonly Note[];
  readonly exactCount: number;
}

export function notebook(): Notebook {
  const notes: Note[] = [];
  const note = (kind: Note['kind']) => (place: string, what: string, became: string) =>
    void notes.push({ kind, place, what, became });
  let count = 0;
  return {
    exact: () => void (count += 1),
    changed: note('changed'),
    left: note('left'),
    guessed: note('access'),
    notes,
    get exactCount() {
      return count;
    },
  };
}
