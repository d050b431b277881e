/** Something that the schema language expresses differently or not at all. */
export interface Note {
  /** `left`: it is not in the new schema. */
  readonly kind: 'changed' | 'left' | 'access';
  /** `schema.prisma:14` */
  readonly place: string;
  /** The original wording: `Post.rating Decimal(30,10)`. */
  readonly what: string;
  readonly became: string;
}

export interface Notebook {
  /** Counts an element that means the same in the new schema. */
  exact(): void;
  /** Counts an element and notes what became of it; undefined if it means the same. */
  element(place: string, what: string, became: string | undefined): void;
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
  const exact = () => void (count += 1);
  return {
    exact,
    element: (place, what, became) =>
      became === undefined ? exact() : note('changed')(place, what, became),
    left: note('left'),
    guessed: note('access'),
    notes,
    get exactCount() {
      return count;
    },
  };
}
