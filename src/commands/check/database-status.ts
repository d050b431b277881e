/** What `db:status --json` of a project prints. */
export interface DatabaseStatus {
  readonly pending: readonly string[];
  readonly unknown: readonly string[];
  readonly altered: readonly string[];
  readonly drift: readonly Difference[];
}

interface Difference {
  readonly kind: string;
  readonly object: string;
  readonly expected?: string;
  readonly found?: string;
}

/** Undefined when the text is something else: the script is the project's, and its owner may have changed it. */
export function readStatus(text: string): DatabaseStatus | undefined {
  const answer = parse(text);
  if (!isObject(answer)) return undefined;
  const { pending, unknown, altered, drift = [] } = answer;
  const lists = [pending, unknown, altered];
  if (!lists.every(isTexts) || !Array.isArray(drift)) return undefined;
  return {
    pending: texts(pending),
    unknown: texts(unknown),
    altered: texts(altered),
    drift: drift.filter(isDifference),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

const texts = (value: unknown) => (isTexts(value) ? value : []);

function isDifference(value: unknown): value is Difference {
  return (
    isObject(value) && typeof value['kind'] === 'string' && typeof value['object'] === 'string'
  );
}
