import { expect, test } from 'vitest';
import { shortenMessage } from '../../src/commands/regenerate/semantic/diagnostics.ts';

test.each([
  [
    "Property 'title' does not exist on type '{ id: number; meta: { a: string; }; ... 4 more ...; }'.",
    "Property 'title' does not exist on type '{ … }'.",
  ],
  [`Type '"draft"' is not assignable to type '"archived" | "idea"'.`, undefined],
  [
    `Type '"x"' is not assignable to type '"a" | "b" | "c" | "d" | "e"'.`,
    `Type '"x"' is not assignable to type '"a" | "b" | "c" | …'.`,
  ],
  ["Type '{ a: 1; }' is not '{ b: 2; }' or 'string'.", "Type '{ … }' is not '{ … }' or 'string'."],
  [
    "Type '{ a: 1; b: Or...' is not assignable to type 'A'.",
    "Type '{ … }' is not assignable to type 'A'.",
  ],
  [
    `${'No overload matches this call. '.repeat(10)} The last one.`,
    `${'No overload matches this call. '.repeat(9)}No overload matches …`,
  ],
  ["Each of '{ <T>(a: { b: 1", "Each of '{ … }"],
])('%s', (message, expected) => {
  expect(shortenMessage(message)).toBe(expected ?? message);
});
