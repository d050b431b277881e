import { describe, expect, test } from 'vitest';
import { acceptanceKey, needsAcceptance } from '../../src/evolve/hazards/hazard.ts';
import { evolveCase } from './migration-cases.ts';
import type { Engine } from '../../src/types/field-type.ts';

interface Step {
  readonly before: string;
  readonly after: string;
  readonly renames?: readonly string[];
}

function hazardsOf(step: Step, engine: Engine) {
  return evolveCase({ what: '', name: '', rows: [], query: '', result: [], ...step }, engine)
    .hazards;
}

const note = (fields: string) => `models: { Note: { timestamps: false, fields: { ${fields} } } }`;
const mood = (values: string) => `enums: { Mood: [${values}] }\n${note('mood: Mood')}`;

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  const agreed = (step: Step) => hazardsOf(step, engine).filter(needsAcceptance).map(acceptanceKey);

  test.each([
    [
      'two fields that exchange names',
      {
        before: note('a: string, b: string'),
        after: note('b: { type: string, was: a }, a: { type: string, was: b }'),
      },
      ['SCF442:Note.b', 'SCF442:Note.a'],
    ],
    [
      'a name that another field takes over',
      {
        before: note('a: string, b: string?'),
        after: note('c: { type: string, was: a }, a: { type: "string?", was: b }'),
      },
      ['SCF442:Note.c'],
    ],
    [
      'two values that exchange names',
      {
        before: mood('up, down'),
        after: mood('{ value: down, was: up }, { value: up, was: down }'),
      },
      ['SCF442:Mood.down', 'SCF442:Mood.up', ...(engine === 'postgres' ? ['SCF432:Note'] : [])],
    ],
    [
      'values that exchange names in a circle',
      {
        before: mood('a, b, c'),
        after: mood('{ value: b, was: a }, { value: c, was: b }, { value: a, was: c }'),
      },
      [
        'SCF442:Mood.b',
        'SCF442:Mood.c',
        'SCF442:Mood.a',
        ...(engine === 'postgres' ? ['SCF432:Note'] : []),
      ],
    ],
    [
      'two models that exchange names',
      {
        before: 'models: { A: { fields: { it: string } }, B: { fields: { it: string } } }',
        after:
          'models: { B: { was: A, fields: { it: string } }, A: { was: B, fields: { it: string } } }',
      },
      ['SCF442:B', 'SCF442:A'],
    ],
    [
      'a field with a new name',
      { before: note('a: string'), after: note('b: { type: string, was: a }') },
      [],
    ],
    [
      'a value with a new name',
      { before: mood('up, down'), after: mood('{ value: high, was: up }, down') },
      [],
    ],
  ])('%s: what has to be accepted', (_, step, keys) => {
    expect(agreed(step).toSorted()).toEqual([...keys].toSorted());
  });

  test('all values of a type that cannot be converted are lost, and the code says so', () => {
    const step = {
      before: note('due: int?'),
      after: note("due: { type: 'date?', backfill: '2077-07-07' }"),
    };
    expect(agreed(step)).toContain('SCF412:Note.due');
    expect(agreed(step)).not.toContain('SCF413:Note.due');
  });

  test.each([
    ['int', 'string(0..60)', []],
    ['int', 'string(0..10)', ['SCF424:Note.it']],
    ['uuid', 'string(0..36)', []],
    ['uuid', 'string(0..35)', ['SCF424:Note.it']],
    ['bigint', 'string(1..20)', []],
    ['time', 'string(0..12)', []],
    ['Mood', 'string(2..4)', []],
    ['Mood', 'string(2..3)', ['SCF424:Note.it']],
    ['bool', 'string(4..5)', []],
    ['bool', 'string(5..5)', ['SCF424:Note.it']],
  ])('%s → %s: whether some values may not fit', (before, after, keys) => {
    const enums = 'enums: { Mood: [up, down] }\n';
    const step = {
      before: enums + note(`it: ${before}`),
      after: enums + note(`it: '${after}', other: Mood?`),
    };
    expect(agreed(step).filter((key) => key.startsWith('SCF42'))).toEqual(keys);
  });
});
