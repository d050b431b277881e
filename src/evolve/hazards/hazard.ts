import { present } from '../../present.ts';

/** A danger to data, to running code or to a busy database. */
export interface Hazard {
  readonly code: HazardCode;
  readonly kind: HazardKind;
  /** `Post.title` */
  readonly target: string;
  /** For the person who decides. */
  readonly message: string;
  /** SQL that counts the affected rows in the database before the migration. */
  readonly count?: string;
  /** Whether the migration cannot be applied while the count is above zero. */
  readonly stops: boolean;
}

export type HazardKind = 'destructive' | 'data' | 'locks' | 'breaks' | 'misleads';
export type HazardCode = keyof typeof hazardKinds;

/** The meaning of a code never changes. */
const hazardKinds = {
  // A table with its rows, a column with its values, a part of each value,
  SCF411: 'destructive',
  SCF412: 'destructive',
  SCF413: 'destructive',
  // values that fit nowhere, a value of an enum, ids.
  SCF414: 'destructive',
  SCF415: 'destructive',
  SCF416: 'destructive',
  /** Whether these fail depends on the rows: a required field, unique values, values to convert, keys. */
  SCF421: 'data',
  SCF422: 'data',
  SCF423: 'data',
  SCF424: 'data',
  SCF425: 'data',
  /** Rewriting a table while everybody waits; filling or copying its rows while others wait. */
  SCF431: 'locks',
  SCF432: 'locks',
  /** Old code fails; or it keeps running with a name that now means something else. */
  SCF441: 'breaks',
  SCF442: 'misleads',
} as const satisfies Readonly<Record<string, HazardKind>>;

/** By default, a hazard to data stops the migration while its count is above zero. */
export function hazard(
  code: HazardCode,
  target: string,
  message: string,
  { count, stops = hazardKinds[code] === 'data' }: Partial<Pick<Hazard, 'count' | 'stops'>> = {},
): Hazard {
  return { code, kind: hazardKinds[code], message, stops, ...present({ count }), target };
}

/** Old code is that of the release before. `how` says what happens to it. */
export function breaksOldCode(target: string, how = 'fail once this is applied'): Hazard {
  return hazard('SCF441', target, `Servers that still run the old code ${how}.`);
}

/** A name that old code uses means something else now. Nothing fails, so nobody notices. */
export function misleadsOldCode(target: string, name: string): Hazard {
  return hazard(
    'SCF442',
    target,
    `\`${name}\` means something else once this is applied: servers that still run the old code would store wrong values. Stop them first, or rename in two releases, by way of a new name.`,
  );
}

/** The key that `--accept` takes: `SCF412:Post.title`. */
export const acceptanceKey = ({ code, target }: Pick<Hazard, 'code' | 'target'>) =>
  `${code}:${target}`;

/** Whether a code that somebody typed is that of a hazard. */
export const isHazardCode = (code: string): code is HazardCode => Object.hasOwn(hazardKinds, code);

/** Hazards to old code are only reported. All others have to be accepted. */
export const needsAcceptance = ({ kind }: Hazard) => kind !== 'breaks';
