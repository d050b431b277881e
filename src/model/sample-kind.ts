import type { Field, Model } from './app.ts';

/** The kinds of text that a sample can be. `example-values.ts` has examples of each. */
export type SampleKind = (typeof kinds)[number][1];

/** The kind of a text, judged by its name; the first row that matches decides. */
const kinds = [
  [/^(first|given|fore)_?name$/, 'firstName'],
  [/^(last|family|sur)_?name$/, 'lastName'],
  [
    /^(full|display|legal|contact)_?name$|^(author|person|customer|recipient)(_name)?$/,
    'personName',
  ],
  [/^(user_?name|login|handle|nick(name)?)$/, 'username'],
  [/e_?mail/, 'email'],
  [/(^|_)(url|uri|link|website|homepage|href)$/, 'url'],
  [/^slug$|_slug$/, 'slug'],
  [/(^|_)(phone|mobile|fax|tel)(_|$)/, 'phone'],
  [/^(city|town)$|_city$/, 'city'],
  [/^country$|_country$/, 'country'],
  [/^(street|address)|_(street|address)$/, 'street'],
  [/zip|post(al)?_?code/, 'postalCode'],
  [/company|organi[sz]ation|employer|vendor|supplier|brand/, 'company'],
  [/colou?r$/, 'colour'],
  [/^(language|locale|lang)$/, 'language'],
  [/^currency$/, 'currency'],
  [/(^|_)(sku|code|reference|number|isbn|ean|barcode|key)$/, 'identifier'],
  [/(^|_)(secret|token|hash|salt|pin|fingerprint)$/, 'secret'],
  [/^version$|_version$/, 'version'],
  [/(^|_)(file|file_?name|path)$/, 'fileName'],
  [/^(tag|label|category|kind|type|unit|genre|topic|word)$/, 'word'],
  [/^(name|title|headline|subject|caption)$|_(name|title)$/, 'title'],
  [/^(body|content|text|article|story|transcript)$/, 'paragraphs'],
] as const;

export function sampleKind(model: Model, field: Field): SampleKind | 'sentence' {
  if (field.role === 'base') return field.name === 'email' ? 'email' : 'personName';
  if (field.type.kind === 'email' || field.type.kind === 'url') return field.type.kind;
  if (field.role === 'id') return 'slug';
  const name = field.name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  const [, kind] = kinds.find(([pattern, it]) => pattern.test(name) && hasRoom(field, it)) ?? [];
  return kind ?? (isShort(model, field) ? 'title' : 'sentence');
}

function hasRoom({ max }: Field, kind: SampleKind): boolean {
  return typeof max !== 'number' || max >= (shortest[kind] ?? 0);
}

/** In characters; other kinds can be cut to any length. */
const shortest: Readonly<Partial<Record<SampleKind, number>>> = { email: 16, url: 10 };

function isShort(model: Model, { name, max }: Field): boolean {
  const isUnique = model.unique.some(({ fields }) => fields.includes(name));
  return isUnique || (typeof max === 'number' && max <= 60);
}
