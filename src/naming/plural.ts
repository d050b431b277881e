// Plurals of English words in lower case. For a name of several words, only the last one is passed.

const irregularPlurals = new Map(
  [
    'person people, child children, man men, woman women, mouse mice, goose geese, foot feet',
    'tooth teeth, ox oxen, quiz quizzes, criterion criteria, phenomenon phenomena, medium media',
    'hero heroes, echo echoes, veto vetoes, potato potatoes, tomato tomatoes, movie movies',
    'cookie cookies, zombie zombies, tie ties, pie pies, calorie calories, cache caches',
    'niche niches, epoch epochs, menu menus, axe axes, alias aliases, atlas atlases',
    'bias biases, canvas canvases, gas gases, lens lenses, iris irises, matrix matrices',
    'index indexes, leaf leaves, loaf loaves, life lives, wife wives, knife knives, half halves',
    'shelf shelves, self selves, wolf wolves, calf calves, thief thieves',
  ]
    .flatMap((line) => line.split(', '))
    .map((pair): [string, string] => {
      const [one = '', many = ''] = pair.split(' ');
      return [one, many];
    }),
);

const irregularSingulars = new Map([...irregularPlurals].map(([one, many]) => [many, one]));

const uncountable = new Set(
  [
    'data metadata equipment information feedback software hardware news money rice series species sheep fish deer',
    'staff knowledge research aircraft spacecraft evidence advice furniture luggage traffic middleware',
  ].flatMap((line) => line.split(' ')),
);

type Ending = readonly [ending: RegExp, becomes: string];

const plurals: readonly Ending[] = [
  [/([^aeiou])y$/, '$1ies'],
  [/quy$/, 'quies'],
  [/([^s])sis$/, '$1ses'],
  [/(s|x|z|ch|sh)$/, '$1es'],
  [/$/, 's'],
];

const singulars: readonly Ending[] = [
  [/(aly|cri|oa|the|gno)ses$/, '$1sis'],
  [/ies$/, 'y'],
  [/(stat|vir|b|bon|camp|cens|corp|foc|syllab|radi)uses$/, '$1us'],
  [/(ss|x|zz|ch|sh)es$/, '$1'],
  [/(ss|us|is)$/, '$1'],
  [/s$/, ''],
];

/** Returns a plural unchanged: `settings`, `credentials`. */
export function plural(word: string): string {
  if (uncountable.has(word) || looksPlural(word)) return word;
  return regularPlural(word);
}

const regularPlural = (word: string) => irregularPlurals.get(word) ?? firstMatch(plurals, word);

export function singular(word: string): string {
  if (uncountable.has(word)) return word;
  return irregularSingulars.get(word) ?? firstMatch(singulars, word);
}

export function looksPlural(word: string): boolean {
  if (uncountable.has(word) || irregularPlurals.has(word)) return false;
  const one = singular(word);
  return one !== word && regularPlural(one) === word;
}

function firstMatch(rules: readonly Ending[], word: string): string {
  const rule = rules.find(([ending]) => ending.test(word));
  return rule === undefined ? word : word.replace(...rule);
}
