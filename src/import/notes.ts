/** Something that the schema language expresses differently or not at all. */
export interface Note {
  /** `left`: it is not in the new schema. `access`: it is a guess at who may do what. */
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
  /** Notes what became of an element; if nothing did, counts it as one that means the same. */
  note(kind: Note['kind'], place: string, what: string, became: string | undefined): void;
  readonly notes: readonly Note[];
  readonly exactCount: number;
}

export function makeNotebook(): Notebook {
  const notes: Note[] = [];
  let exactCount = 0;
  const exact = () => void (exactCount += 1);
  return {
    exact,
    note: (kind, place, what, became) =>
      became === undefined ? exact() : void notes.push({ kind, place, what, became }),
    notes,
    get exactCount() {
      return exactCount;
    },
  };
}
