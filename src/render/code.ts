/** Source text that a view has printed: the only text besides names that a template prints without escaping. */
export interface Code {
  readonly [printed]: string;
}

const printed = Symbol('printed');

export const code = (text: string): Code => ({ [printed]: text });

export const isCode = (value: unknown): value is Code =>
  typeof value === 'object' && value !== null && printed in value;

export const textOf = (value: Code): string => value[printed];
