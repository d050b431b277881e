/** What a document says of its parts, by where they stand. */
type Texts = Readonly<Record<string, string | undefined>>;

interface Part {
  readonly [key: string]: unknown;
}

/** Parts of an OpenAPI document, each with what is said of it. Fields of models have the words of the schema, or none. */
export function descriptionsOf(document: object): Texts {
  const { paths, components, tags }: Part = Object(document);
  const { schemas, responses }: Part = Object(components);
  const models = partsIn(tags).map(([, { name }]) => String(name));
  const ofModel = (name: string) =>
    models.some((model) => [model, `Create${model}`, `Update${model}`].includes(name)) ||
    ['Registration', 'Profile'].includes(name);
  const operations = partsIn(paths).flatMap(([path, methods]) =>
    partsIn(methods).flatMap(([method, operation]) => ofOperation(`${method} ${path}`, operation)),
  );
  return Object.fromEntries([
    ...operations,
    ...partsIn(responses).map(([name, answer]) => [name, wordsOf(answer)]),
    ...partsIn(schemas).flatMap(([name, schema]) =>
      ofModel(name) ? [] : ofProperties(name, schema),
    ),
  ]);
}

function ofOperation(name: string, operation: Part) {
  const answers = partsIn(operation['responses']).filter(([, answer]) => !('$ref' in answer));
  return [
    [name, wordsOf(operation)],
    ...partsIn(operation['parameters']).map(([, it]) => [`${name} ${it['name']}`, wordsOf(it)]),
    ...answers.map(([status, answer]) => [`${name} ${status}`, wordsOf(answer)]),
  ];
}

function ofProperties(name: string, { properties }: Part) {
  return partsIn(properties).map(([key, property]) => [`${name}.${key}`, wordsOf(property)]);
}

const wordsOf = (part: Part): unknown => part['description'];

const partsIn = (parts: unknown): readonly (readonly [string, Part])[] =>
  Object.entries(Object(parts));

/** Parts of which nothing is said, or nothing that their name does not say. */
export function poorlyDescribed(texts: Texts): readonly string[] {
  return Object.entries(texts)
    .filter(([name, text]) => text === undefined || !isSentence(text) || repeats(name, text))
    .map(([name, text]) => `${name}: ${text}`);
}

/** Of two words at least, none of them twice. */
const isSentence = (text: string) =>
  /^[A-Z`\d].*\s.*[.?]$/s.test(text) && !/\b(\w+) \1\b/i.test(text);

function repeats(name: string, text: string): boolean {
  const last = plain(name.split(/[ .]/).at(-1) ?? '');
  return [last, `${last}s`].includes(plain(text));
}

const plain = (text: string) => text.toLowerCase().replaceAll(/\b(?:the|a|an|of)\b|[^a-z]/g, '');
