import { type Claim, makeClaim, listTables, typesMadeFor } from '../claimed-names.ts';
import type { Facts, SchemaRule } from '../facts.ts';
import type { ReportProblem } from '../scope.ts';

interface ClaimFamily {
  readonly claims: (facts: Facts) => readonly Claim[];
  readonly code: 'SCF109' | 'SCF110';
  readonly message: (claim: Claim, first: Claim) => string;
  readonly help: string;
}

const claimFamilies: readonly ClaimFamily[] = [
  {
    claims: listClaimedTypes,
    code: 'SCF109',
    message: (claim, first) =>
      claim.value === first.value
        ? `${claim.title} and ${first.title} would both be called \`${claim.value}\``
        : `\`${claim.value}\` and \`${first.value}\` differ only in capitals`,
    help: 'rename one of them',
  },
  {
    claims: listTables,
    code: 'SCF109',
    message: (claim, first) =>
      `the table of ${claim.title} would be called \`${claim.value}\`, like that of ${first.title}`,
    help: 'give one of them another name with `table:`',
  },
  {
    claims: ({ models }) =>
      models.map((model) =>
        makeClaim(model, model.name, model.names.folder, model.schema.plural?.at),
      ),
    code: 'SCF109',
    message: (claim, first) =>
      `the files of ${claim.title} would be in \`src/${claim.value}/\`, like those of ${first.title}`,
    help: 'rename one of them, or give it another `plural:`',
  },
  {
    claims: ({ models }) =>
      models.map((model) => makeClaim(model, model.name, model.path, model.schema.path?.at)),
    code: 'SCF110',
    message: (claim, first) =>
      `${claim.title} would be served at \`/${claim.value}/\`, like ${first.title}`,
    help: 'give one of them another `path:`',
  },
];

/**
 * Compares names by their plurals and without case, like SQL, Windows and macOS. Two models that collide in several
 * ways are reported once.
 */
export const namesAreDistinct: SchemaRule = (facts, report) => {
  const reported = new Set<string>();
  for (const family of claimFamilies) reportTwins(family, family.claims(facts), reported, report);
};

function reportTwins(
  { code, message, help }: ClaimFamily,
  claims: readonly Claim[],
  reported: Set<string>,
  report: ReportProblem,
): void {
  const firsts = new Map<string, Claim>();
  for (const claim of claims) {
    const folded = claim.value.toLowerCase();
    const first = firsts.get(folded) ?? claim;
    firsts.set(folded, first);
    const pair = [first.owner, claim.owner].toSorted().join(' ');
    if (first.owner === claim.owner || reported.has(pair)) continue;
    reported.add(pair);
    report({ code, at: claim.at, message: message(claim, first), help });
  }
}

/** The types that emitted code has for models and enums, and their plurals. */
function listClaimedTypes({ models, schema }: Facts): readonly Claim[] {
  return [
    ...models.flatMap((model) => [
      makeClaim(model, `the model ${model.name}`, model.names.type),
      makeClaim(
        model,
        `the plural of ${model.name}`,
        model.names.typePlural,
        model.schema.plural?.at,
      ),
    ]),
    ...models.flatMap((model) =>
      typesMadeFor(model.names.type).map((value) =>
        makeClaim(model, `a type made for ${model.name}`, value),
      ),
    ),
    ...schema.enums.map(({ name }) => ({
      ...name,
      title: `the enum ${name.value}`,
      owner: `enum ${name.value}`,
    })),
  ];
}
