import { type Conversions, scaleOf, type Sql } from '../columns/conversion.ts';

/** The last step, to the width of the new column, is the assignment's; what would not fit is told by `fails`. */
export const postgresConversions: Conversions = {
  'text>integer': ({ after }) => ({
    value: (it) => `${it}::${after.kind === 'int' ? 'integer' : 'bigint'}`,
    fails: unlessLike(integer, (it) => isOutside(`${it}::numeric`, after.kind === 'int' ? 31 : 63)),
  }),
  'text>float': () => ({
    value: (it) => `${it}::double precision`,
    fails: unlessLike(decimal, (it) => isBeyondFloat(`${it}::numeric`)),
    loses: (it) =>
      `CASE WHEN ${it} ~ '^${decimal}$' AND NOT (${isBeyondFloat(`${it}::numeric`)}) THEN ${it}::numeric <> ${exactly(`${it}::double precision`)} END`,
  }),
  'text>decimal': ({ after }) => ({
    value: (it) => `${it}::numeric`,
    fails: unlessLike(scaleOf(after) === 0 ? whole : `${whole}(\\.[0-9]{1,${scaleOf(after)}})?`),
  }),
  'text>bool': () => ({
    value: (it) => `${it} = 'true'`,
    fails: (it) => `${it} NOT IN ('true', 'false')`,
  }),
  'text>date': () => ({ value: (it) => `${it}::date`, fails: unlessLike(date, isNoDay) }),
  'text>time': () => ({ value: (it) => `${it}::time(3)`, fails: unlessLike(time) }),
  'text>datetime': () => ({
    value: (it) => `${it}::timestamptz(3)`,
    fails: unlessLike(`${date}T${time}Z`, isNoDay),
  }),
  'text>uuid': () => ({
    value: (it) => `${it}::uuid`,
    fails: unlessLike('[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'),
  }),
  'text>json': () => ({ value: (it) => `to_jsonb(${it}::text)` }),
  'integer>text': asText,
  'integer>float': () => ({
    value: (it) => `${it}::double precision`,
    loses: (it) => `${exactly(`${it}::double precision`)} <> ${it}`,
  }),
  'integer>decimal': () => ({ value: (it) => `${it}::numeric` }),
  'integer>bool': () => ({ value: (it) => `${it} = 1`, fails: (it) => `${it} NOT IN (0, 1)` }),
  'float>text': asText,
  'float>integer': () => ({
    value: (it) => `round(${exactly(it)})`,
    // NaN is above every number.
    fails: (it) => `NOT (${it} >= -9223372036854775808 AND ${it} < 9223372036854775808)`,
    loses: (it) => `${it} <> trunc(${it})`,
  }),
  'float>decimal': ({ after }) => ({
    value: (it) => `round(${exactly(it)}, ${scaleOf(after)})`,
    fails: (it) => `NOT (${it} > '-Infinity' AND ${it} < 'Infinity')`,
    loses: (it) => `${exactly(it)} <> round(${exactly(it)}, ${scaleOf(after)})`,
  }),
  'decimal>text': asText,
  'decimal>integer': () => rounded(0),
  'decimal>float': () => ({
    value: (it) => `${it}::double precision`,
    loses: (it) => `${exactly(`${it}::double precision`)} <> ${it}`,
  }),
  'decimal>decimal': ({ before, after }) =>
    scaleOf(after) < scaleOf(before) ? rounded(scaleOf(after)) : { value: (it) => it },
  'bool>text': asText,
  'bool>integer': () => ({ value: (it) => `${it}::integer` }),
  'date>text': () => ({ value: (it) => `to_char(${it}, 'YYYY-MM-DD')`, fails: isNoYear }),
  'date>datetime': () => ({
    value: (it) => `${it}::timestamp AT TIME ZONE 'UTC'`,
    fails: isNoYear,
  }),
  'time>text': () => ({ value: (it) => `to_char(${it}, 'HH24:MI:SS.MS')` }),
  'datetime>text': () => ({
    value: (it) => `to_char(${utc(it)}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    fails: isNoYear,
  }),
  'datetime>date': () => ({
    value: (it) => `(${utc(it)})::date`,
    fails: isNoYear,
    loses: (it) => `(${utc(it)})::time <> '00:00'`,
  }),
  'datetime>time': () => ({
    value: (it) => `(${utc(it)})::time(3)`,
    fails: isNoYear,
    loses: (it) => `${it} IS NOT NULL`,
  }),
  'uuid>text': asText,
  'json>text': asText,
};

const whole = '-?(0|[1-9][0-9]*)';
/** Zero has no sign. */
const integer = '(0|-?[1-9][0-9]*)';
const decimal = `${whole}(\\.[0-9]+)?([eE][-+]?[0-9]{1,3})?`;
const date = '(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])';
const time = '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.[0-9]{3}';

function asText() {
  return { value: (it: string) => `${it}::text` };
}

/** PostgreSQL may evaluate what stands beside a test before it; not so inside CASE. */
function unlessLike(pattern: string, isUnfit: Sql = () => 'false'): Sql {
  return (it) => `CASE WHEN ${it} ~ '^${pattern}$' THEN ${isUnfit(it)} ELSE ${it} IS NOT NULL END`;
}

/** February has no 30th; a cast would end the migration there. */
function isNoDay(text: string): string {
  const day = `substr(${text}, 9, 2)::integer`;
  return `extract(month FROM (left(${text}, 8) || '01')::date + ${day} - 1) <> substr(${text}, 6, 2)::integer`;
}

/** What PostgreSQL knows and the API does not: infinity, years before the first and after 9999. */
function isNoYear(moment: string): string {
  return `NOT (${moment} >= '0001-01-01' AND ${moment} < '10000-01-01')`;
}

/** Larger or smaller than any float that there is. */
function isBeyondFloat(number: string): string {
  return `abs(${number}) > 1.7976931348623158e308 OR abs(${number}) < 2.4703282292062328e-324 AND ${number} <> 0`;
}

/**
 * The number that a float is. The cast to numeric keeps fifteen digits; by way of text it is the shortest number that
 * reads back as the same float, which for large whole numbers is another one.
 */
function exactly(float: string): string {
  return `CASE WHEN ${float} BETWEEN -9223372036854775808 AND 9223372036854774784 AND ${float} = trunc(${float}) THEN ${float}::bigint::numeric ELSE ${float}::text::numeric END`;
}

function isOutside(number: string, bits: number): string {
  const limit = 2n ** BigInt(bits);
  return `${number} NOT BETWEEN -${limit} AND ${limit - 1n}`;
}

function rounded(scale: number) {
  return {
    value: (it: string) => `round(${it}, ${scale})`,
    loses: (it: string) => `${it} <> round(${it}, ${scale})`,
  };
}

function utc(instant: string): string {
  return `${instant} AT TIME ZONE 'UTC'`;
}
