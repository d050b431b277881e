export const orderOperators = ['<', '<=', '>', '>='] as const;

export type Order = (typeof orderOperators)[number];

/** The suffixes of filters: `views__gte`. */
export const orderWords = { '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte' } as const;

export interface CheckParts {
  readonly left: string;
  readonly operator: Order;
  readonly right: string;
}

/** Parses `ends_on >= starts_on`; undefined for anything else. */
export function parseCheck(text: string): CheckParts | undefined {
  const [, left = '', written, right = ''] =
    /^\s*([A-Za-z_]\w*)\s*([<>]=?)\s*([A-Za-z_]\w*)\s*$/.exec(text) ?? [];
  const operator = orderOperators.find((order) => order === written);
  return operator && { left, operator, right };
}

/** The field with the smaller value, the one with the larger, and whether they may be equal. */
export function orderSides({ left, operator, right }: CheckParts) {
  const isUp = operator === '<' || operator === '<=';
  return { low: isUp ? left : right, high: isUp ? right : left, isStrict: operator.length === 1 };
}
