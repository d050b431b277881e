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
  /** What would make the hazard go away, as the beginning of a sentence. */
  readonly remedy?: string;
}

export type HazardKind = 'destructive' | 'data' | 'locks' | 'breaks' | 'misleads';
export type HazardCode = keyof typeof hazardKinds;

/** The meaning of a code never changes. */
const hazardKinds = {
  /** A table goes, with its rows. */
  SCF411: 'destructive',
  /** A column goes, or all its values. */
  SCF412: 'destructive',
  /** Values lose what the new type cannot hold. */
  SCF413: 'destructive',
  /** Values that are no longer allowed are replaced. */
  SCF414: 'destructive',
  /** A value of an enum goes. */
  SCF415: 'destructive',
  /** Every row gets a new id. */
  SCF416: 'destructive',
  /** A new field needs a value in every row. */
  SCF421: 'data',
  /** A field becomes required. */
  SCF422: 'data',
  /** Rows may repeat what becomes unique. */
  SCF423: 'data',
  /** Values that are no longer allowed have to be fixed first. */
  SCF424: 'data',
  /** A key may lead to a missing row. */
  SCF425: 'data',
  /** Everybody waits while a table is rewritten. */
  SCF431: 'locks',
  /** Writers wait while rows are filled or copied. */
  SCF432: 'locks',
  /** Old code fails. */
  SCF441: 'breaks',
  /** Old code runs on with a name that now means something else. */
  SCF442: 'misleads',
} as const satisfies Readonly<Record<string, HazardKind>>;

/** By default, a hazard to data stops the migration while its count is above zero. */
export function makeHazard(
  code: HazardCode,
  target: string,
  message: string,
  {
    count,
    remedy,
    stops = hazardKinds[code] === 'data',
  }: Partial<Pick<Hazard, 'count' | 'stops' | 'remedy'>> = {},
): Hazard {
  return { code, kind: hazardKinds[code], message, stops, ...present({ count, remedy }), target };
}

/** Old code is that of the release before. `how` says what happens to it. */
export function makeBreakingHazard(target: string, how = 'fail once this is applied'): Hazard {
  return makeHazard('SCF441', target, `Servers that still run the old code ${how}.`);
}

/** A name that old code uses means something else now. Nothing fails, so nobody notices. */
export function makeMisleadingHazard(target: string, name: string): Hazard {
  return makeHazard(
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
