import { expect, test } from 'vitest';
import { listUnlocked, withoutUnlocked } from '../../src/system/lock-file.ts';

const print = (lock: object) => `${JSON.stringify(lock, null, 2)}\n`;

const whole = {
  name: 'shop',
  lockfileVersion: 3,
  packages: {
    '': { dependencies: { fast: '^1.0.0' } },
    'node_modules/fast': {
      version: '1.0.0',
      optionalDependencies: { '@fast/linux': '1.0.0', '@fast/mac': '1.0.0' },
      license: 'MIT',
    },
    'node_modules/fast/node_modules/@fast/linux': { version: '1.0.0', optional: true },
    'node_modules/@fast/mac': { version: '1.0.0', optional: true },
  },
};

test('a lock file with the packages of all platforms stays as it is', () => {
  expect(listUnlocked(print(whole))).toEqual([]);
  const text = JSON.stringify(whole);
  expect(withoutUnlocked(text)).toBe(text);
});

test('what a registry lacked is no longer asked for, and everything else stays', () => {
  const { 'node_modules/@fast/mac': _mac, ...packages } = whole.packages;
  const text = print({ ...whole, packages });
  expect(listUnlocked(text)).toEqual(['@fast/mac']);
  const fast = {
    ...packages['node_modules/fast'],
    optionalDependencies: { '@fast/linux': '1.0.0' },
  };
  expect(JSON.parse(withoutUnlocked(text))).toEqual({
    ...whole,
    packages: { ...packages, 'node_modules/fast': fast },
  });
  expect(listUnlocked(withoutUnlocked(text))).toEqual([]);
});

test('a file that is not a lock file stays as it is', () => {
  for (const text of ['', '{}', 'conflict <<<<', '{"packages":{}}'])
    expect(withoutUnlocked(text)).toBe(text);
});
