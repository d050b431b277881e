import { type Conversions, scaleOf, type Sql } from '../columns/conversion.ts';

/** The last step, to the width of the new column, is the assignment's; what would not fit is told by `fails`. */
export const postgresConversions: Conversions = {
  'text>integer': ({ after }) => ({
    value: (it) => `${it}::${after.kind === 'int' ? 'integer' : 'bigint'}`,
    fails: unlessLike(whole, (it) => isOutside(`${it}::numeric`, after.kind === 'int' ? 31 : 63)),
  }),
  'text>float': () => ({
    value: (it) => `${it}::double precision`,
    fails: unlessLike(`${whole}(\\.[0-9]+)?([eE][-+]?[0-9]{1,2})?`),
  }),
  'text>decimal': ({ after }) => ({
    value: (it) => `${it}::numeric`,
    fails: unlessLike(scaleOf(after) === 0 ? whole : `${whole}(\\.[0-9]{1,${scaleOf(after)}})?`),
  }),
  'text>bool': () => ({
    value: (it) => `${it} = 'true'`,
    fails: (it) => `${it} NOT IN ('true', 'false')`,
  }),
  'text>date': () => ({ value: (it) => `${it}::date`, fails: unlessLike(date) }),
  'text>time': () => ({ value: (it) => `${it}::time(3)`, fails: unlessLike(time) }),
  'text>datetime': () => ({
    value: (it) => `${it}::timestamptz(3)`,
    fails: unlessLike(`${date}T${time}Z`),
  }),
  'text>uuid': () => ({
    value: (it) => `${it}::uuid`,
    fails: unlessLike('[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'),
  }),
  'text>json': () => ({ value: (it) => `to_jsonb(${it}::text)` }),
  'integer>text': asText,
  'integer>float': () => ({
    value: (it) => `${it}::double precision`,
    loses: (it) => `abs(${it}::numeric) > ${2 ** 53}`,
  }),
  'integer>decimal': () => ({ value: (it) => `${it}::numeric` }),
  'integer>bool': () => ({ value: (it) => `${it} = 1`, fails: (it) => `${it} NOT IN (0, 1)` }),
  'float>text': asText,
  'float>integer': () => ({
    value: (it) => `round(${it}::numeric)`,
    loses: (it) => `${it} <> trunc(${it})`,
  }),
  'float>decimal': ({ after }) => ({
    value: (it) => `round(${it}::numeric, ${scaleOf(after)})`,
    loses: (it) => `${it}::numeric <> round(${it}::numeric, ${scaleOf(after)})`,
  }),
  'decimal>text': asText,
  'decimal>integer': () => rounded(0),
  'decimal>float': ({ before }) => ({
    value: (it) => `${it}::double precision`,
    loses: (it) => `abs(${it}) >= ${10n ** BigInt(Math.max(0, 15 - scaleOf(before)))}`,
  }),
  'decimal>decimal': ({ before, after }) =>
    scaleOf(after) < scaleOf(before) ? rounded(scaleOf(after)) : { value: (it) => it },
  'bool>text': asText,
  'bool>integer': () => ({ value: (it) => `${it}::integer` }),
  'date>text': () => ({ value: (it) => `to_char(${it}, 'YYYY-MM-DD')` }),
  'date>datetime': () => ({ value: (it) => `${it}::timestamp AT TIME ZONE 'UTC'` }),
  'time>text': () => ({ value: (it) => `to_char(${it}, 'HH24:MI:SS.MS')` }),
  'datetime>text': () => ({
    value: (it) => `to_char(${utc(it)}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  }),
  'datetime>date': () => ({
    value: (it) => `(${utc(it)})::date`,
    loses: (it) => `(${utc(it)})::time <> '00:00'`,
  }),
  'datetime>time': () => ({
    value: (it) => `(${utc(it)})::time(3)`,
    loses: (it) => `${it} IS NOT NULL`,
  }),
  'uuid>text': asText,
  'json>text': asText,
};

const whole = '-?(0|[1-9][0-9]*)';
const date = '[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])';
const time = '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.[0-9]{3}';

function asText() {
  return { value: (it: string) => `${it}::text` };
}

/** PostgreSQL may evaluate what stands beside a test before it; not so inside CASE. */
function unlessLike(pattern: string, isUnfit: Sql = () => 'false'): Sql {
  return (it) => `CASE WHEN ${it} ~ '^${pattern}$' THEN ${isUnfit(it)} ELSE ${it} IS NOT NULL END`;
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
