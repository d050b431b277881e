import type { Field, Model } from '../../../model/app.ts';
import { spellName } from '../../../naming/name.ts';
import { urls } from '../../../types/url.ts';

const fullNames = ['Ann Archer', 'Ben Baker', 'Clara Cooper'];
const emails = ['ann@example.test', 'ben@example.test', 'eve@example.test'];
const slugs = ['the-first-snow', 'a-quiet-harbour', 'the-old-fox'];
const titles = ['The first snow', 'A quiet harbour', 'The old fox'];
const sentences = ['It fell overnight.', 'No ship came in.', 'He knows the way.'];

/** Texts by the names of fields, with the least length that they may be cut to. The first row that matches decides. */
const kinds: readonly (readonly [name: RegExp, texts: readonly string[], least?: number])[] = [
  [/^(first|given|fore)_?name$/, ['Ann', 'Ben', 'Clara']],
  [/^(last|family|sur)_?name$/, ['Archer', 'Baker', 'Cooper']],
  [/^(full|display|legal|contact)_?name$|^(author|person|customer|recipient)(_name)?$/, fullNames],
  [/^(user_?name|login|handle|nick(name)?)$/, ['ann', 'ben', 'clara']],
  [/e_?mail/, emails, 16],
  [/(^|_)(url|uri|link|website|homepage|href)$/, urls, 10],
  [/^slug$|_slug$/, slugs],
  [/(^|_)(phone|mobile|fax|tel)(_|$)/, ['+31 20 555 0101', '+44 20 5550 1402', '+49 30 5550 1703']],
  [/^(city|town)$|_city$/, ['Utrecht', 'Bristol', 'Leipzig']],
  [/^country$|_country$/, ['Norway', 'Portugal', 'Austria']],
  [/^(street|address)|_(street|address)$/, ['12 Mill Lane', '7 Harbour Road', '31 Station Street']],
  [/zip|post(al)?_?code/, ['3511 AB', 'BS1 4DJ', '04109']],
  [
    /company|organi[sz]ation|employer|vendor|supplier|brand/,
    ['Harbour & Sons', 'North Mill', 'Old Fox Books'],
  ],
  [/colou?r$/, ['blue', 'green', 'amber']],
  [/^(language|locale|lang)$/, ['en', 'nl', 'de']],
  [/^currency$/, ['EUR', 'GBP', 'NOK']],
  [/(^|_)(sku|code|reference|number|isbn|ean|barcode|key)$/, ['AB-1204', 'CD-3377', 'EF-9051']],
  [/(^|_)(secret|token|hash|salt|pin|fingerprint)$/, ['open sesame', 'swordfish', 'plover']],
  [/^version$|_version$/, ['1.2.0', '2.0.1', '3.4.5']],
  [/(^|_)(file|file_?name|path)$/, ['snow.jpg', 'harbour.jpg', 'fox.jpg']],
  [/^(tag|label|category|kind|type|unit|genre|topic|word)$/, ['winter', 'harbour', 'forest']],
  [/^(name|title|headline|subject|caption)$|_(name|title)$/, titles],
  [/^(body|content|text|article|story|transcript)$/, sentences],
];

/** Texts for a field, the most believable first. If there are too few, they are numbered. */
export function exampleTexts(model: Model, field: Field): readonly string[] {
  const { role, max = Infinity } = field;
  if (role === 'base') return fullNames;
  if (role === 'id') return slugs;
  const name = spellName(field.name, 'snake');
  const known = kinds.find(([is, , least = 0]) => is.test(name) && Number(max) >= least);
  return known?.[1] ?? (isShortField(model, field) ? titles : sentences);
}

function isShortField(model: Model, { name, max }: Field): boolean {
  const isUnique = model.unique.some(({ fields }) => fields.includes(name));
  return isUnique || (typeof max === 'number' && max <= 60);
}
