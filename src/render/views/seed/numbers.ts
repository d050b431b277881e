import { spacedWords } from '../../../naming/name.ts';
import type { Field, Model } from '../../../model/app.ts';
import { fieldTypes } from '../../../types/all.ts';
import { type Limits, scaleOf } from '../../../types/field-type.ts';
import { formatScaled, scaleDecimal } from '../../../types/numbers.ts';
import { tsCall, tsString, tsValue } from '../../typescript.ts';
import { findWordingRule, rulesIn, type Topic } from './wording.ts';

/** Believable ranges, or single values, by the subject of a number. If several apply, the smallest maximum is used. */
const numberRules = rulesIn(`
price|value|amount of property|house|flat|apartment|land|offer; : 150000 : 900000
price|value of vehicle|car|van|truck|tractor|machine|boat; : 4000 : 60000
price|value of artwork|painting|sculpture; : 1000 : 200000
capacity of venue|hall|theatre|stadium; : 200 : 3000
age of pupil|child; : 6 : 15
age of animal|pet|dog|cat|horse|cow|sheep|goat|bird; : 1 : 12
age of student; : 18 : 28
weight of cow|horse|bull; : 450 : 750
weight of person|client|member|patient|player|athlete; : 50 : 110
area of property|house|flat|apartment|office|room; : 40 : 220
age : 18 : 80
(born|birth) year|year.of.birth : 1930 : 1985
(died|death) year|year.of.death : 1990 : 2026
year : 1990 : 2026
(available|remaining)$ : 0 : 3
(enrolled|booked|signed up|registered)$ : 0 : 4
copies : 3 : 10
quantity|qty|pieces|nights : 1 : 10
(bed|bath)(room)?s : 1 : 4
adults : 1 : 2
children|renewals : 0 : 3
(vat|tax)( rate| percent(age)?| pct)?$ : 5 : 10 : 20
(interest|commission|margin)( rate| percent(age)?| pct)?$ : 1 : 6
discount( rate| percent(age)?| pct)?$ : 0 : 25
(percent(age)?|pct|progress|humidity|occupancy|completion|battery|utili[sz]ation) : 0 : 100
milk : 12 : 38
hourly|per hour : 20 : 90
daily|per day|per night|nightly : 60 : 240
per (kg|kilo|litre|liter|piece) : 1 : 12
monthly (price|fee|cost) : 20 : 90
rent|deposit : 500 : 2400
salary|wage|income : 1800 : 6000
budget|target|revenue|balance|turnover : 2000 : 50000
price : 5 : 120
(shipping|delivery|postage|booking|handling|service)( fee| cost| charge)?$|fine$ : 2 : 9
cost|fee|amount|total|value|sum|paid|subtotal|net|gross|labou?r|parts|materials : 5 : 500
rating|stars|score|grade|level|priority : 1 : 5
share|ratio|factor|probability : 0 : 1
mileage|odometer : 5000 : 180000
(distance|km|kilomet(er|re)s) : 5 : 600
litres|liters|volume : 5 : 80
floor : 0 : 5
position|sort|order|rank|index : 0 : 20
seats|capacity|participants|people|guests|persons : 4 : 60
stock|inventory : 0 : 200
reading : 2 : 15
duration months : 1 : 3 : 6 : 12 : 24
duration|minutes : 15 : 180
pages : 16 : 400
max(imum)? (points|marks) : 100 : 100
points|marks : 0 : 100
credits : 5 : 10 : 15
terms? days : 14 : 30 : 60
sets : 2 : 5
reps|repetitions : 5 : 15
calories : 100 : 800
yield : 200 : 8000
speed : 30 : 130
employees|staff : 5 : 400
area|hectares|ha : 1 : 80
height : 150 : 195
heart rate|pulse : 55 : 110
days : 1 : 120
hours|weeks|months : 1 : 12
lat|latitude : -90 : 90
lng|lon|longitude : -180 : 180
weight|kilos|kg : 1 : 50
temperature|celsius : 5 : 25`);

function numbersFor(name: string, topic: Topic): readonly number[] {
  const { choices = [] } = findWordingRule(numberRules, spacedWords(name), topic) ?? {};
  return choices.length === 0 ? [0, 1000] : choices.map(Number);
}

/** Prints the call that draws a number from a few values or from a range. */
export function numberCall(field: Field, model: Model): string {
  const { type, column } = field;
  if (type.kind === 'float')
    return tsCall('draw.float', ...believableRange(field, model).map(tsValue));
  const { scale } = limitsOf(field);
  const isInt = type.kind === 'int';
  const print = (units: bigint) => (isInt ? String(units) : tsString(formatScaled(units, scale)));
  const [least, most] = chooseRange(field, model);
  const choice = numbersFor(column, describeTopic(model)).map((it) => scaled(it, scale));
  const isFew = choice.length > 2 && choice[0] === least && choice.at(-1) === most;
  if (isFew && !isDistinct(field, model)) return `draw.oneOf([${choice.map(print).join(', ')}])`;
  return tsCall(isInt ? 'draw.int' : 'draw.decimal', print(least), print(most));
}

const scaled = (bound: number | string, scale: number) => scaleDecimal(String(bound), scale) ?? 0n;

/** A float is drawn in small units. */
const limitsOf = ({ type }: Field): Limits =>
  fieldTypes[type.kind].limits?.(type) ?? { min: '-1e300', max: '1e300', scale: 20 };

const allowedIn = (field: Field) => {
  const { min, max } = limitsOf(field);
  return [field.min ?? min, field.max ?? max];
};

/** In units of the last digit: the believable part of the allowed range, or what is allowed next to it. */
function chooseRange(field: Field, model: Model): readonly [least: bigint, most: bigint] {
  const { scale } = limitsOf(field);
  const range = numbersFor(isYear(field) ? 'year' : field.column, describeTopic(model));
  const usual = [Math.min(...range), Math.max(...range)];
  // A share that is a whole number is a percentage.
  const drawn = usual[1] === 1 && scale === 0 ? [0, 100] : usual;
  const believed = isDistinct(field, model) ? [1, 100_000] : drawn;
  const [low = 0n, high = 0n] = believed.map((it) => scaled(it, scale));
  const [lowest = 0n, highest = 0n] = allowedIn(field).map((it) => scaled(it, scale));
  const most = smaller(high, highest);
  const least = most - (high - low);
  if (least >= lowest) return [least, most];
  const next = isYear(field) ? most : lowest + (high - low);
  return [lowest, smaller(next < lowest ? lowest : next, highest)];
}

/** Recognised by its bounds, whatever its name. Years are never in the future. */
const isYear = ({ type, min, max }: Field) =>
  type.kind === 'int' && Number(min) >= 1500 && Number(max) >= 1990 && Number(max) <= 2200;

const smaller = (left: bigint, right: bigint) => (left < right ? left : right);

export type Range = readonly [least: number, most: number];

export function isWithin(field: Field, [least, most]: Range): boolean {
  const [lowest, highest] = allowedIn(field).map(Number);
  return least >= Number(lowest) && most <= Number(highest);
}

/** The range of a column's numbers. */
export function believableRange(field: Field, model: Model): Range {
  const { scale } = limitsOf(field);
  const [least, most] = chooseRange(field, model);
  return [Number(formatScaled(least, scale)), Number(formatScaled(most, scale))];
}

/** The ages of people or animals with a date of birth. */
export function chooseAges(about: string): Range {
  const [least = 0, most = 0] = numbersFor('age', { about, domain: `${about};` });
  return [least, most];
}

export const isBirth = ({ column, type }: Field) =>
  (type.kind === 'date' || type.kind === 'datetime') &&
  /\b(birth|birthday|birthdate|born|dob|founded|established)\b/.test(spacedWords(column));

/** The subject of a row, and of the rows that it belongs to. */
export function describeTopic({ names, relations }: Model): Topic {
  const above = relations.flatMap((it) => (it.kind === 'one' ? [spacedWords(it.target)] : []));
  return { about: names.human, domain: `${names.human}; ${above.join(', ')}` };
}

/** Whether no two rows may have the same value. In a unique group, texts rather than numbers differ. */
export function isDistinct({ name, type }: Field, { unique }: Model): boolean {
  const isText = fieldTypes[type.kind].range === 'characters';
  return unique.some(
    ({ fields, where }) =>
      where === undefined && fields.includes(name) && (isText || fields.length === 1),
  );
}

export const isNumber = ({ type, role }: Field) =>
  role === 'declared' && fieldTypes[type.kind].range === 'value';
export const isAmount = (field: Field) => isNumber(field) && !field.nullable;
export const digitsOf = ({ type }: Field) => (type.kind === 'float' ? 2 : scaleOf(type));

/** A text of digits in the form of the column. */
export const asColumnValue = ({ type }: Field, text: string) =>
  type.kind === 'int' || type.kind === 'float' ? tsCall('Number', text) : text;
