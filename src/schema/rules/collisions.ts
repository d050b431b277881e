import type { Located } from '../language.ts';
import type { Report, Wording } from '../scope.ts';
import type { Facts, ModelFacts, Rule } from './facts.ts';

/** A name that something is given, and what messages call that thing. */
interface Claim extends Located<string> {
  readonly title: string;
  /** The model or enum that is behind it. */
  readonly owner: string;
  readonly isEnum?: true;
}

interface Family {
  readonly claims: readonly Claim[];
  wording(claim: Claim, first: Claim): Wording;
}

/**
 * Names are compared after pluralising and without case, as SQL, Windows, macOS and careless people do. Two models that
 * meet in several families meet for one reason, so they are reported once.
 */
export const namesAreDistinct: Rule = (facts, report) => {
  const reported = new Set<string>();
  for (const family of [
    types(facts),
    derivedTypes(facts),
    tables(facts),
    folders(facts),
    paths(facts),
  ]) {
    reportTwins(family, reported, report);
  }
};

function reportTwins({ claims, wording }: Family, reported: Set<string>, report: Report): void {
  const firsts = new Map<string, Claim>();
  for (const claim of claims) {
    const folded = claim.value.toLowerCase();
    const first = firsts.get(folded) ?? claim;
    firsts.set(folded, first);
    const pair = [first.owner, claim.owner].toSorted().join(' ');
    if (first.owner === claim.owner || reported.has(pair)) continue;
    reported.add(pair);
    report({ at: claim.at, ...wording(claim, first) });
  }
}

function types(facts: Facts): Family {
  return {
    claims: [...facts.models.flatMap(typeAndPlural), ...enumTypes(facts)],
    wording: (claim, first) => ({
      code: 'SCF109',
      message:
        claim.value === first.value
          ? `${claim.title} and ${first.title} would both be called \`${claim.value}\``
          : `\`${claim.value}\` and \`${first.value}\` differ in capitals only`,
      help: 'rename one of them',
    }),
  };
}

function typeAndPlural({ names, name, schema }: ModelFacts): Claim[] {
  const { at } = schema.name;
  const pluralAt = schema.plural?.at ?? at;
  return [
    { value: names.type, at, title: `the model ${name}`, owner: name },
    { value: names.typePlural, at: pluralAt, title: `the plural of ${name}`, owner: name },
  ];
}

function enumTypes({ schema }: Facts): Claim[] {
  return schema.enums.map(({ name }) => ({
    ...name,
    title: `the enum ${name.value}`,
    owner: `enum ${name.value}`,
    isEnum: true,
  }));
}

/** The code of `Post` has types `PostId`, `NewPost`, `CreatePost` and `UpdatePost`. */
export const typesMadeFor = (type: string): readonly string[] => [
  `${type}Id`,
  `New${type}`,
  `Create${type}`,
  `Update${type}`,
];

function derivedTypes(facts: Facts): Family {
  const derived = facts.models.flatMap(({ names: { type }, name, schema }) =>
    typesMadeFor(type).map((value) => ({
      value,
      at: schema.name.at,
      title: `a type made for ${name}`,
      owner: name,
    })),
  );
  const own = facts.models.map(({ names, name, schema }) => ({
    value: names.type,
    at: schema.name.at,
    title: `the model ${name}`,
    owner: name,
  }));
  return {
    claims: [...derived, ...own, ...enumTypes(facts)],
    wording: (claim, first) => ({
      code: 'SCF109',
      message: `${claim.title} and ${first.title} would both be called \`${claim.value}\``,
      help: `rename the ${claim.isEnum ? 'enum' : 'model'}`,
    }),
  };
}

const ofModel = ({ name }: ModelFacts, value: string, at: Claim['at']): Claim => ({
  value,
  at,
  title: name,
  owner: name,
});

function tables(facts: Facts): Family {
  return {
    claims: tablesOf(facts),
    wording: (claim, first) => ({
      code: 'SCF109',
      message: `the table of ${claim.title} would be called \`${claim.value}\`, as that of ${first.title}`,
      help: 'give one of them another name with `table:`',
    }),
  };
}

export function tablesOf({ models }: Facts): readonly Claim[] {
  const own = models.map((model) => {
    const { table, name } = model.schema;
    return ofModel(model, model.table, table?.at ?? name.at);
  });
  const joining = models.flatMap(({ name: model, table, schema }) =>
    schema.relations
      .filter(({ many, through }) => many && through === undefined)
      .map(({ name }) => ({
        value: `${table}_${name.value}`,
        at: name.at,
        title: `${model}.${name.value}`,
        owner: `${model}.${name.value}`,
      })),
  );
  return [...own, ...joining];
}

function folders({ models }: Facts): Family {
  return {
    claims: models.map((model) => {
      const { plural, name } = model.schema;
      return ofModel(model, model.names.folder, plural?.at ?? name.at);
    }),
    wording: (claim, first) => ({
      code: 'SCF109',
      message: `the files of ${claim.title} would lie in \`src/${claim.value}/\`, as those of ${first.title} do`,
      help: 'rename one of them, or give it another `plural:`',
    }),
  };
}

function paths({ models }: Facts): Family {
  return {
    claims: models.map((model) => {
      const { path, name } = model.schema;
      return ofModel(model, model.path, path?.at ?? name.at);
    }),
    wording: (claim, first) => ({
      code: 'SCF110',
      message: `${claim.title} would be reached at \`/${claim.value}/\`, as ${first.title} is`,
      help: 'give one of them another `path:`',
    }),
  };
}
