import type { TypeDefinition } from './field-type.ts';
import { requireForm } from './value-flaw.ts';
import { pickLengths, textDefinition, textStorage } from './texts.ts';

export const urls = [
  'https://example.test/snow',
  'https://example.test/harbour',
  'https://example.test/fox',
];

export const url: TypeDefinition = {
  ...textDefinition,
  ...textStorage,
  reference: { written: 'url', json: 'string', holds: 'an `http` or `https` address' },
  foreign: ['uri', 'link'],
  lengths: { least: 10, most: 2048 },
  flawOf: requireForm(/^https?:\/\/[^\s]+$/, 'a web address, like `https://example.test/`'),
  call: 't.Url',
  sample: (field) => {
    const { min = 0, max = Infinity } = pickLengths(field);
    const sample = 'https://example.test/';
    return max < sample.length ? 'http://a.b'.slice(0, max) : sample.padEnd(min, 'x').slice(0, max);
  },
  examples: (field) => {
    const { min = 0, max = Infinity } = pickLengths(field);
    const short = [...'abcdefghij'].map((letter) => `http://${letter}.b`.slice(0, max));
    const long = urls.map((each) => each.padEnd(min, 'x'));
    return [...long, ...short].filter((each) => each.length >= min && each.length <= max);
  },
  wrong: 'nowhere',
};
