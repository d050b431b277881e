import { faker } from '@faker-js/faker/locale/en';

/** What a number is about, by its name: the least and the greatest that is believable. The first row decides. */
const numbers: readonly (readonly [RegExp, number, number])[] = [
  [/\bage\b/, 18, 80],
  [/\byear\b/, 1990, 2026],
  [/\b(quantity|qty|pieces|copies|nights)\b/, 1, 10],
  [/\b(salary|wage|income|rent)\b/, 800, 6000],
  [/\b(budget|target|revenue|balance|turnover)\b/, 2000, 50_000],
  [/\b(price|cost|fee|amount|total|value|sum|paid)\b/, 5, 500],
  [/\b(rating|stars|score|grade|level|priority)\b/, 1, 5],
  [/\b(percent|percentage|discount|progress|humidity)\b/, 0, 100],
  [/\b(share|ratio|factor|probability)\b/, 0, 1],
  [/\b(litres|liters|volume)\b/, 5, 80],
  [/\b(position|sort|order|rank|index|floor)\b/, 0, 20],
  [/\b(seats|capacity|participants|people|guests|persons)\b/, 4, 60],
  [/\b(stock|inventory)\b/, 0, 200],
  [/\b(duration|minutes)\b/, 15, 180],
  [/\bdays\b/, 1, 120],
  [/\b(hours|weeks|months)\b/, 1, 12],
  [/\b(lat|latitude)\b/, -90, 90],
  [/\b(lng|lon|longitude)\b/, -180, 180],
  [/\b(weight|kilos|kg)\b/, 1, 50],
  [/\b(temperature|celsius)\b/, 5, 25],
];

const { arrayElement } = faker.helpers;
const listed = (words: string) => words.split(',').map((word) => word.trim());
const code = () =>
  `${faker.string.alpha({ casing: 'upper', length: 2 })}-${faker.string.numeric(4)}`;
const oneOf =
  (...words: readonly string[]) =>
  () =>
    arrayElement(words);

/** What a text says, by the name of its column. The first row decides. */
const columns: readonly (readonly [RegExp, (about: string) => string])[] = [
  [
    /\b(notes?|comment|description|reason|summary|remark|message|diagnosis|feedback)\b/,
    (about) => sentence(about),
  ],
  [/\b(first|given|fore) ?name\b/, () => faker.person.firstName()],
  [/\b(last|family|sur) ?name\b/, () => faker.person.lastName()],
  [/\b(user ?name|login|handle|nick(name)?)\b/, () => faker.internet.username().toLowerCase()],
  [/\be ?mail\b/, () => faker.internet.email({ provider: 'example.com' }).toLowerCase()],
  [/\b(url|uri|link|website|homepage|href)$/, () => faker.internet.url()],
  [/\bslug$/, () => `${faker.word.adjective()}-${faker.word.noun()}-${faker.string.numeric(3)}`],
  [/\b(phone|mobile|fax|tel)\b/, () => faker.phone.number({ style: 'international' })],
  [/\b(city|town|birthplace)$/, () => faker.location.city()],
  [/\b(country|nationality)$/, () => faker.location.country()],
  [/\b(street|address|location)$/, () => faker.location.streetAddress()],
  [/\b(zip|post(al)? ?code)\b/, () => faker.location.zipCode('#####')],
  [/\biban\b/, () => faker.finance.iban()],
  [/\b(bic|swift)\b/, () => faker.finance.bic()],
  [/\bisbn\b/, () => faker.commerce.isbn()],
  [/\b(ean|barcode)\b/, () => faker.string.numeric(13)],
  [/\bcurrency\b/, oneOf('EUR', 'CHF', 'GBP', 'USD', 'SEK', 'PLN')],
  [/\b(locale|lang)\b/, oneOf('en', 'de', 'fr', 'nl', 'es')],
  [/\b(languages?|mother tongue)\b/, () => faker.location.language().name],
  [/\b(vat|tax|sku|code|reference|ref|number|no|key|serial|license|licence|plate)$/, code],
  [/\b(origin|destination|departure|arrival)$/, () => faker.location.city()],
  [/\b(make|model)$/, () => faker.vehicle.model()],
  [/\blevel\b/, oneOf('beginner', 'intermediate', 'advanced')],
  [/\b(secret|token|hash|salt|pin|fingerprint)\b/, () => faker.string.alphanumeric(24)],
  [/\bversion\b/, () => faker.system.semver()],
  [/\b(file|file ?name|path)$/, () => `${faker.word.noun()}.pdf`],
  [/\bcolou?r\b/, oneOf('red', 'blue', 'green', 'yellow', 'white', 'black', 'grey', 'brown')],
  [/\b(job|profession|occupation)\b/, () => faker.person.jobTitle()],
  [/\b(latin|scientific|botanical)\b/, () => `${arrayElement(genera)} ${arrayElement(epithets)}`],
  [/\bunit\b/, oneOf('piece', 'box', 'metre', 'litre', 'kilogram', 'hour')],
  [/\bsize\b/, oneOf('small', 'medium', 'large')],
  [/\bmaterial\b/, oneOf('wood', 'steel', 'glass', 'cotton', 'clay', 'paper')],
  [/\b(tag|label|category|kind|type|genre|topic|keyword)s?$/, () => arrayElement(topics)],
  [/\b(bio|biography|about)\b/, () => `${faker.person.jobTitle()} in ${faker.location.city()}`],
  [/\b(body|content|text|article|story|transcript)\b/, (about) => paragraphs(about)],
  [/\b(company|organi[sz]ation|employer|vendor|supplier|brand|firm)\b/, () => faker.company.name()],
];

/** What a row is called, by what it is. The first row decides. */
const things: readonly (readonly [RegExp, (about: string) => string])[] = [
  [
    /\b(author|person|customer|recipient|user|member|client|patient|student|pupil|teacher|employee|artist|guest|contact|doctor|player|speaker|visitor|parent|child|driver|owner|tenant|volunteer|trainer|donor|vet|pilot|nurse|judge|lawyer|seller|buyer|borrower|reader|candidate|applicant)s?\b/,
    () => faker.person.fullName(),
  ],
  [
    /\b(company|supplier|vendor|brand|organi[sz]ation|shop|store|firm|publisher)\b/,
    () => faker.company.name(),
  ],
  [/\b(city|town)\b/, () => faker.location.city()],
  [/\b(country)\b/, () => faker.location.country()],
  [/\bbooks?\b/, () => faker.book.title()],
  [/\b(songs?|tracks?|albums?)\b/, () => faker.music.songName()],
  [/\b(recipe|dish|meal)\b/, () => faker.food.dish()],
  [/\bingredient\b/, () => faker.food.ingredient()],
  [/\b(crop|plant|vegetable|seed)\b/, () => sentenceCase(faker.food.vegetable())],
  [/\bfruit\b/, () => sentenceCase(faker.food.fruit())],
  [/\b(animal|pet|dog|cat|horse|cow|sheep)\b/, () => faker.animal.petName()],
  [/\b(vehicle|car)\b/, () => faker.vehicle.vehicle()],
  [/\b(tool|equipment)\b/, () => arrayElement(tools)],
  [/\b(product|item|goods|article)\b/, () => faker.commerce.productName()],
  [/\b(category|department|section)\b/, () => faker.commerce.department()],
  [
    /\b(room|hall|studio|office|table|locker|desk|bed|gate|plot)\b/,
    (about) =>
      `${sentenceCase(about)} ${faker.string.numeric({ length: 3, allowLeadingZeros: false })}`,
  ],
  [
    /\b(garden|park|building|house|school|site|branch|station|library|clinic|hotel|warehouse|farm)\b/,
    (about) => `${faker.location.street()} ${about}`,
  ],
  [
    /\b(event|meeting|show|conference|festival|concert|workshop|course|lesson|class|training|lecture)\b/,
    (about) => `${arrayElement(kindsOfEvent)} ${about}`,
  ],
  [
    /\b(project|campaign|initiative|goal|idea)\b/,
    () => `${arrayElement(renewals)} of the ${arrayElement(places)}`,
  ],
  [
    /\b(task|ticket|issue|todo|job|work order|repair|request)\b/,
    () => `${arrayElement(duties)} the ${arrayElement(places)}`,
  ],
  [/\b(tag|label|keyword|skill|topic|genre)\b/, () => arrayElement(topics)],
  [
    /\b(post|page|news|story|thread|message|announcement|entry|note|journal)\b/,
    () => `${arrayElement(headlines)} ${arrayElement(places)}`,
  ],
];

const tools = listed(`
Hammer, Spade, Ladder, Drill, Handsaw, Rake, Wheelbarrow, Sander, Toolbox, Hedge trimmer`);
const kindsOfEvent = listed(`
Spring, Summer, Autumn, Winter, Evening, Weekend, Annual, Open, First, Introductory,
Advanced`);
const renewals = listed(`
Renewal, Extension, Repair, Opening, Review, Planning, Improvement`);
const duties = listed(`
Check, Clean, Repair, Replace, Paint, Order parts for, Prepare, Inspect, Tidy`);
const headlines = listed(`
News from the, A new look for the, Changes at the, Plans for the, A day at the,
Notes on the, Opening hours of the`);
const places = listed(`
workshop, garden, library, kitchen, main entrance, office, north wing, car park, storeroom,
reading room, roof, meeting room, website, front desk, playground, cellar`);
const topics = listed(`
art, books, cooking, cycling, design, family, film, garden, health, history, home, local,
music, nature, news, photography, science, sport, theatre, travel, weather, work`);
const genera = listed(`
Solanum, Brassica, Allium, Daucus, Beta, Lactuca, Phaseolus, Cucurbita, Mentha, Salvia`);
const epithets = listed(`
sativa, vulgaris, officinalis, communis, alba, rubra, maritima, montana`);
const qualities = listed(`
Small, Large, New, Old, First, Second, Third, Main, Spare, North, South, East, West, Upper,
Lower, Red, Blue, Green, White, Long, Short, Round`);

/** Plain, and about nothing in particular. */
const sentences: readonly ((about: string) => string)[] = [
  (about) => `Everything about this ${about} is in order.`,
  (about) => `This ${about} was checked in ${faker.date.month()}.`,
  (about) => `Please look at this ${about} again on ${faker.date.weekday()}.`,
  (about) => `The ${about} is as it was agreed.`,
  (about) => `${faker.person.firstName()} knows more about this ${about}.`,
  (about) => `Nothing has changed about the ${about} since ${faker.date.month()}.`,
  () => `We talked about it on ${faker.date.weekday()}, and it can stay as it is.`,
  () => `${faker.person.firstName()} asked for this in ${faker.date.month()}.`,
  () => `It was finished on a ${faker.date.weekday()}, earlier than planned.`,
  () => `There is more to say about it in ${faker.date.month()}.`,
];

const sentence = (about: string) => arrayElement(sentences)(about);

function paragraphs(about: string): string {
  const { multiple } = faker.helpers;
  const paragraph = () => multiple(() => sentence(about), { count: { min: 2, max: 4 } }).join(' ');
  return multiple(paragraph, { count: { min: 1, max: 3 } }).join('\n\n');
}

/** `name` is a column's, `about` what its row is called; a short text is no sentence. */
export function textAbout(name: string, about: string, max = Infinity): string {
  const words = spaced(name);
  const own = find(columns, max <= 5 ? words.replace('language', 'locale') : words);
  if (own !== undefined) return own(about);
  const owner = words.replace(/ ?\b(name|title|headline|subject|caption)$/, '');
  const other = find(things, owner);
  if (other !== undefined) return other(owner);
  if (owner === words && max > 100) return sentence(about);
  if (owner === words) return `${sentenceCase(words)} ${faker.number.int({ min: 1, max: 99 })}`;
  return find(things, about)?.(about) ?? `${arrayElement(qualities)} ${about}`;
}

const find = (table: typeof things, text: string) => table.find(([is]) => is.test(text))?.[1];

export function numberAbout(name: string): readonly [number, number] {
  const words = spaced(name);
  const [, least, most] = numbers.find(([is]) => is.test(words)) ?? [/./, 0, 1000];
  return [least, most];
}

/** `openedAt`, `opened_at` → `opened at` */
export function spaced(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
}

const sentenceCase = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
