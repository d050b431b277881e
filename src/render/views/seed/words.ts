import { tsCall, tsString } from '../../typescript.ts';

/** How a text is drawn: the printed call, and about how long what it draws is. */
export interface Wording {
  readonly call: string;
  readonly least: number;
  readonly most: number;
  /** Words, which a number may follow. */
  readonly isPhrase?: true;
  /** Of a code, to which digits may be added. */
  readonly shape?: string;
}

type Rule = readonly [RegExp, (about: string) => Wording];

/** A choice of words for each part, `a|b`; those in braces are drawn by faker. */
function phrase(...parts: readonly string[]): Wording {
  const lengths = parts.map((part) => part.split('|').map(lengthsOf));
  const sum = (pick: (one: readonly (readonly [number, number])[]) => number) =>
    lengths.reduce((total, one) => total + pick(one), parts.length - 1);
  return {
    call: tsCall('draw.phrase', ...parts.map(tsString)),
    least: sum((one) => Math.min(...one.map(([least]) => least))),
    most: sum((one) => Math.max(...one.map(([, most]) => most))),
    isPhrase: true,
  };
}

/** What faker draws has two letters at least. */
function lengthsOf(text: string): readonly [number, number] {
  const own = text.replace(/\{\{.*?\}\}/g, '').length;
  const drawn = [...text.matchAll(/\{\{(\w+)/g)].map(([, module = '']) =>
    isShort.test(module) ? 20 : 60,
  );
  return [own + 2 * drawn.length, drawn.reduce((sum, most) => sum + most, own)];
}

const isShort = /^(animal|date|number|phone|string|system)$/;

/** Letters and digits of a shape, as faker reads it. */
const code = (shape: string, length: number) => (): Wording => ({
  call: tsCall('draw.like', tsString(shape)),
  least: length,
  most: length,
  shape,
});

const says =
  (...parts: readonly string[]) =>
  () =>
    phrase(...parts);

const sentence = (about: string): Wording => ({
  call: tsCall('draw.sentence', tsString(about)),
  least: 25,
  most: 90 + about.length,
});

const paragraphs = (about: string): Wording => ({
  call: tsCall('draw.paragraphs', tsString(about)),
  least: 50,
  most: 1200 + 12 * about.length,
});

export const slug: Wording = { call: 'draw.slug()', least: 8, most: 40 };

const topics =
  'art|books|cooking|family|film|gardens|health|history|music|nature|sport|theatre|travel|weather';
const diagnoses = 'Allergy|Cough|Ear infection|Fever|Fracture|Healthy|Overweight|Sprain|Toothache';
const places =
  'workshop|garden|library|kitchen|entrance|north wing|car park|reading room|roof|playground';
const isPlace =
  /\b(room|table|locker|desk|bed|gate|plot|seat|kennel|cabin|apartment|flat|house|berth|bay|pitch)s?$/;
const isBike = /\b(bike|bicycle)s?\b/;
const isVehicle = /\b(vehicle|car|van|truck|lorry|bus|taxi)s?\b/;
const qualities = 'First|Second|Third|New|Old|Main|Short|Long|Small|Large';

/** What a text says, by the name of its column. The first row decides. */
const columns: readonly Rule[] = [
  [
    /\b(notes?|comment|description|reason|summary|remark|message|feedback|complaint|synopsis|purpose)\b/,
    sentence,
  ],
  [/\b(first|given|fore) ?name\b/, says('{{person.firstName}}')],
  [/\b(last|family|sur) ?name\b/, says('{{person.lastName}}')],
  [/\b(user ?name|login|handle|nick(name)?)\b/, says('{{internet.username}}')],
  [/\be ?mail\b/, () => ({ call: 'draw.email()', least: 15, most: 50 })],
  [/\b(url|uri|link|website|homepage|href)$/, () => ({ call: 'draw.url()', least: 10, most: 50 })],
  [/\bslug$/, () => slug],
  [/\b(phone|mobile|fax|tel)\b/, says('{{phone.number({"style":"international"})}}')],
  [/\b(city|town|birthplace)$/, says('{{location.city}}')],
  [/\bcountry code$/, says('CH|DE|ES|FR|GB|IT|NL|PL|SE')],
  [/\b(country|nationality)$/, says('{{location.country}}')],
  [/\b(street|address|location)$/, says('{{location.streetAddress}}')],
  [/\b(zip|post(al)? ?code)\b/, code('[0-9]{5}', 5)],
  [/\biban\b/, says('{{finance.iban}}')],
  [/\b(bic|swift)\b/, says('{{finance.bic}}')],
  [/\bisbn\b/, code('978[0-9]{10}', 13)],
  [/\b(ean|barcode)\b/, code('[0-9]{13}', 13)],
  [/\bcurrency\b/, says('EUR|CHF|GBP|USD|SEK|PLN')],
  [/\b(locale|lang)\b/, says('en|de|fr|nl|es')],
  [/\b(languages?|mother tongue)\b/, says('English|German|French|Dutch|Spanish|Polish')],
  [/\b(micro)?chip\b/, code('[0-9]{15}', 15)],
  [/\broom( number| no)?$/, code('[1-9][0-9]{2}', 3)],
  [/\brow$/, code('[A-M]', 1)],
  [
    /\b(vat|tax|sku|code|reference|ref|number|no|key|serial|license|licence|plate)$/,
    (about) => (isPlace.test(about) ? code('[1-9][0-9]{2}', 3) : code('[A-Z]{2}-[0-9]{4}', 7))(),
  ],
  [/\b(origin|destination|departure|arrival)$/, says('{{location.city}}')],
  [
    /\b(make|brand|manufacturer)$/,
    (about) =>
      isBike.test(about)
        ? phrase('Batavus|Bianchi|Brompton|Cube|Gazelle|Giant|Scott|Trek')
        : phrase(isVehicle.test(about) ? '{{vehicle.manufacturer}}' : '{{company.name}}'),
  ],
  [
    /\bmodel$/,
    (about) =>
      isBike.test(about)
        ? phrase('City|Cargo|Folding|Mountain|Racing|Touring', 'bike')
        : isVehicle.test(about)
          ? phrase('{{vehicle.model}}')
          : phrase('Basic|Classic|Compact|Plus|Standard', '{{number.int({"min":100,"max":900})}}'),
  ],
  [/\bweek ?day$/, says('Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday')],
  [/\bmedium$/, says('Bronze|Charcoal|Etching|Oil on canvas|Photograph|Watercolour')],
  [/\blevel\b/, says('beginner|intermediate|advanced')],
  [/\b(secret|token|hash|salt|pin|fingerprint)\b/, code('[A-Z0-9]{24}', 24)],
  [/\bversion\b/, says('{{system.semver}}')],
  [
    /\b(drug|medicine)\b/,
    says('Amoxicillin|Cetirizine|Ibuprofen|Meloxicam|Omeprazole|Paracetamol'),
  ],
  [/\bdose\b/, says('5 mg|10 mg|20 mg|50 mg|100 mg', 'daily|in the morning|twice a day')],
  [/\bvaccine\b/, says('Influenza|Hepatitis B|Measles|Rabies|Tetanus')],
  [/\b(file|file ?name|path)$/, says('{{word.noun}}.pdf')],
  [/\bcolou?r\b/, says('red|blue|green|yellow|white|black|grey|brown')],
  [/\b(job|profession|occupation)\b/, says('{{person.jobTitle}}')],
  [
    /\b(latin|scientific|botanical)\b/,
    says('Allium|Beta|Brassica|Daucus|Mentha|Salvia', 'alba|maritima|officinalis|rubra|vulgaris'),
  ],
  [/\bunit\b/, says('piece|box|metre|litre|kilogram|hour')],
  [/\bsize\b/, says('small|medium|large')],
  [/\bmaterial\b/, says('wood|steel|glass|cotton|clay|paper')],
  [/\b(gender|sex)\b/, says('female|male')],
  [/\bblood (type|group)\b/, says('A+|A-|AB+|AB-|B+|B-|0+|0-')],
  [/\ballerg(y|ies)\b/, says('Dust|Latex|Milk|None|Nuts|Penicillin|Pollen')],
  [/\bdiagnosis\b/, says(diagnoses)],
  [/\bspecial(i?ty|ism)\b/, says('Cardiology|Dermatology|General practice|Paediatrics|Surgery')],
  [/\b(industry|sector)\b/, says('Construction|Education|Energy|Finance|Food|Retail|Transport')],
  [/\bsoil\b/, says('chalk|clay|loam|peat|sand')],
  [/\b(variety|cultivar)\b/, says('Dwarf|Early|Giant|Late', 'green|red|white|yellow')],
  [/\bbreed\b/, says('Long-haired|Mixed|Short-haired')],
  [/\bplan$/, says('Basic|Plus|Premium|Standard')],
  [
    /^subject$/,
    (about) =>
      /\b(teacher|tutor|lesson|course|class|exam|pupil|school)\b/.test(about)
        ? phrase('Biology|Chemistry|English|Geography|History|Maths|Music|Physics')
        : phrase('Changes to|News of|A question about', 'the', places),
  ],
  [/\bgenre$/, says('adventure|comedy|crime|documentary|drama|history|romance')],
  [/\b(kind|type)$/, says('regular|special|standard|temporary')],
  [/\b(tag|label|category|topic|keyword)s?$/, says(topics)],
  [/\b(bio|biography|about)\b/, says('{{person.jobTitle}} in {{location.city}}')],
  [/\b(body|content|text|article|story|transcript)\b/, paragraphs],
  [/\b(company|organi[sz]ation|employer|vendor|supplier|brand|firm)\b/, says('{{company.name}}')],
];

/** What a row is called, by what it is. The first row decides. */
const things: readonly Rule[] = [
  [
    /\b(author|person|customer|recipient|user|member|client|patient|student|pupil|teacher|employee|artist|guest|contact|doctor|player|speaker|visitor|parent|child|driver|owner|tenant|volunteer|trainer|donor|vet|pilot|nurse|judge|lawyer|seller|buyer|borrower|reader|candidate|applicant|instructor|guide|coach|host|director|adopter|mechanic|inspector|composer|manager|landlord|editor|photographer|cook|captain|witness|sender)s?\b/,
    says('{{person.fullName}}'),
  ],
  [
    /\b(company|supplier|vendor|brand|organi[sz]ation|shop|store|firm|publisher)\b/,
    says('{{company.name}}'),
  ],
  [/\b(city|town)\b/, says('{{location.city}}')],
  [/\bcountry\b/, says('{{location.country}}')],
  [/\bbooks?\b/, says('{{book.title}}')],
  [/\b(songs?|tracks?|albums?)\b/, says('{{music.songName}}')],
  [/\b(recipe|dish|meal)\b/, says('{{food.dish}}')],
  [/\bingredient\b/, says('{{food.ingredient}}')],
  [
    /\b(crop|plant|vegetable|seed)\b/,
    says('Beans|Beetroot|Cabbage|Carrots|Leeks|Lettuce|Onions|Peas|Potatoes|Spinach|Tomatoes'),
  ],
  [/\bfruit\b/, says('Apples|Blackcurrants|Cherries|Pears|Plums|Raspberries|Strawberries')],
  [/\b(animal|pet|dog|cat|horse|cow|sheep)\b/, says('{{animal.petName}}')],
  [isBike, says('City|Cargo|Folding|Mountain|Racing|Touring', 'bike')],
  [isVehicle, says('{{vehicle.vehicle}}')],
  [
    /\b(part|spare|component)s?\b/,
    says('Battery|Bearing|Belt|Cable|Filter|Fuse|Gasket|Hinge|Lamp|Spring|Switch|Valve'),
  ],
  [
    /\b(tool|equipment)\b/,
    says('Hammer|Spade|Ladder|Drill|Handsaw|Rake|Wheelbarrow|Sander|Toolbox|Hedge trimmer'),
  ],
  [
    /\b(product|item|goods)\b/,
    says(
      'Blue|Folding|Green|Grey|Large|Plain|Round|Small|Striped|White|Wooden',
      'basket|bench|blanket|bowl|box|chair|clock|cushion|jug|lamp|mug|plate|shelf|stool|tray|vase',
    ),
  ],
  [
    /\b(film|movie)s?\b/,
    says('A Small|Another|One More|Our Second|The Last|The Long', 'Harbour|Journey|Letter|Summer'),
  ],
  [/\bschool class\b/, says('Class', '5a|5b|6a|6b|7a|7b|8a|8b|9a|9b')],
  [/\b(category|department|section)\b/, says('{{commerce.department}}')],
  [
    /\b(room|hall|studio|office|table|locker|desk|bed|gate|plot)\b/,
    (about) => phrase(`${capital(about)} {{number.int(400)}}`),
  ],
  [
    /\b(garden|park|building|house|school|site|branch|station|library|clinic|hotel|warehouse|farm)\b/,
    (about) => phrase(`{{location.street}} ${about}`),
  ],
  [
    /\b(event|meeting|show|conference|festival|concert|workshop|course|lesson|class|training|lecture)\b/,
    (about) => phrase('Spring|Summer|Autumn|Winter|Evening|Weekend|Annual|Open', about),
  ],
  [
    /\b(project|campaign|initiative|goal|idea)\b/,
    says('Renewal|Extension|Repair|Opening|Review|Planning', `of the`, places),
  ],
  [
    /\brepair\b/,
    says('Battery|Cable|Cover|Hinge|Lamp|Lock|Motor|Switch', 'adjusted|cleaned|repaired|replaced'),
  ],
  [
    /\b(task|ticket|issue|todo|job|work order|request)\b/,
    says('Check|Clean|Repair|Paint|Prepare|Inspect|Tidy', 'the', places),
  ],
  [/\b(tag|label|keyword|skill|topic|genre)\b/, says(topics)],
  [
    /\b(review|rating|testimonial)\b/,
    says('As described|Better than expected|Good value|Not for me|Very good|Would choose it again'),
  ],
  [/\bdiagnosis\b/, says(diagnoses)],
  [
    /\b(post|article|page|news|story|thread|message|announcement|entry|note|journal)\b/,
    says('News from the|Changes at the|Plans for the|A day at the|Notes on the', places),
  ],
];

/** `name` is a column's, `about` what its row is called; a short text is no sentence. */
export function wordsFor(name: string, about: string, max: number): Wording {
  const words = spaced(name);
  const short = words.replace('language', 'locale').replace(/\bcountry$/, 'country code');
  const own = find(columns, max <= 5 ? short : words);
  if (own !== undefined) return own(about);
  const owner = words.replace(/ ?\b(name|title|subtitle|headline|subject|caption)$/, '');
  const other = find(things, owner);
  if (other !== undefined) return other(owner);
  if (owner === words && max > 255) return sentence(about);
  if (owner === words) return phrase(`${capital(words)} {{number.int(99)}}`);
  return find(things, about)?.(about) ?? phrase(qualities, about);
}

/** What a number is about, by its name: the least and the greatest that is believable. The first row decides. */
const numbers: readonly (readonly [RegExp, number, number])[] = [
  [/\bage\b/, 18, 80],
  [/\b(born|birth) year\b|\byear of birth\b/, 1930, 1985],
  [/\b(died|death) year\b|\byear of death\b/, 1990, 2026],
  [/\byear\b/, 1990, 2026],
  // What is left or taken of all is no more than the least of those.
  [/\b(available|remaining)$/, 0, 3],
  [/\b(enrolled|booked|signed up|registered)$/, 0, 4],
  [/\bcopies\b/, 3, 10],
  [/\b(quantity|qty|pieces|nights)\b/, 1, 10],
  [/\b(bed|bath)(room)?s\b/, 1, 4],
  [/\b(vat|tax|interest|commission|margin|discount)( rate| percent(age)?| pct)?$/, 0, 25],
  [/\b(percent(age)?|pct|progress|humidity|occupancy|completion|battery|utili[sz]ation)\b/, 0, 100],
  [/\b(salary|wage|income|rent)\b/, 800, 6000],
  [/\b(budget|target|revenue|balance|turnover)\b/, 2000, 50_000],
  [/\bprice\b/, 5, 120],
  [/\b(cost|fee|amount|total|value|sum|paid)\b/, 5, 500],
  [/\b(rating|stars|score|grade|level|priority)\b/, 1, 5],
  [/\b(share|ratio|factor|probability)\b/, 0, 1],
  [/\b(mileage|odometer)\b/, 5000, 180_000],
  [/\b(distance|km|kilomet(er|re)s)\b/, 5, 600],
  [/\b(litres|liters|volume)\b/, 5, 80],
  [/\b(position|sort|order|rank|index|floor)\b/, 0, 20],
  [/\b(seats|capacity|participants|people|guests|persons)\b/, 4, 60],
  [/\b(stock|inventory)\b/, 0, 200],
  [/\breading\b/, 2, 15],
  [/\b(duration|minutes)\b/, 15, 180],
  [/\bpages\b/, 16, 400],
  [/\bmax(imum)? (points|marks)\b/, 100, 100],
  [/\b(points|marks)\b/, 0, 100],
  [/\bspeed\b/, 30, 130],
  [/\b(employees|staff)\b/, 5, 400],
  [/\b(area|hectares|ha)\b/, 1, 80],
  [/\bheight\b/, 150, 195],
  [/\b(heart rate|pulse)\b/, 55, 110],
  [/\bdays\b/, 1, 120],
  [/\b(hours|weeks|months)\b/, 1, 12],
  [/\b(lat|latitude)\b/, -90, 90],
  [/\b(lng|lon|longitude)\b/, -180, 180],
  [/\b(weight|kilos|kg)\b/, 1, 50],
  [/\b(temperature|celsius)\b/, 5, 25],
];

export function numbersFor(name: string): readonly [number, number] {
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

const find = (table: readonly Rule[], text: string) => table.find(([is]) => is.test(text))?.[1];

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
