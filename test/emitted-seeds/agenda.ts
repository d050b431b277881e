import * as fc from 'fast-check';
import { parse, stringify } from 'yaml';
import type { LegalSchema } from '../support/legal/schema.ts';

const spans = [
  ['starts_at', 'ends_at', 'datetime'],
  ['starts_on', 'ends_on', 'date'],
  ['startTime', 'endTime', 'time'],
  ['begins', 'finishes', 'datetime'],
  ['opened_at', 'closed_on', 'datetime', 'date'],
  ['opens_at', 'closes_at', 'time'],
  ['valid_from', 'valid_until', 'date', 'datetime'],
  ['rented_at', 'returned_at', 'datetime'],
] as const;

const defaults = [
  [],
  ['en', 'de'],
  { colour: 'red', sizes: [1, 2] },
  7,
  true,
  'word',
  { a: { b: null } },
  {},
];

/** Fields some of which follow from others, whatever their type and order. */
const bills = [
  ['net', 'vat', 'gross'],
  ['labour_cost', 'parts_cost', 'total_cost'],
  ['quantity', 'unit_price', 'line_total'],
  ['subtotal', 'tax', 'shipping', 'discount', 'total'],
] as const;

const agendaStates = ['draft', 'approved', 'published', 'archived'] as const;

/** A schema with one more model: things that start and end, states with their moments, JSON of many shapes, links and a unique key. */
export function withAgenda(schema: fc.Arbitrary<LegalSchema>): fc.Arbitrary<LegalSchema> {
  const agenda = fc.record({
    spans: fc.subarray([...spans], { minLength: 1 }),
    optional: fc.boolean(),
    json: fc.subarray(defaults, { minLength: 1 }),
    stamp: fc.constantFrom('both', 'created_at', 'updated_at'),
    bill: fc
      .constantFrom(...bills)
      .chain((names) => fc.shuffledSubarray([...names], { minLength: names.length })),
    amount: fc.constantFrom('int', 'float', 'decimal(10,2)', 'decimal(12,3)'),
  });
  return fc.tuple(schema, agenda).map(([{ text, ...more }, drawn]) => {
    const document: { enums?: object; models: object } = parse(text);
    const fields = drawn.spans.flatMap(([start, end, from, to = from]) => [
      [start, from],
      [end, drawn.optional ? `${to}?` : to],
    ]);
    const json = drawn.json.map((value, at) => [`list_${at}`, { type: 'json', default: value }]);
    const agendaModel = {
      ...(drawn.stamp !== 'both' && { timestamps: false }),
      fields: Object.fromEntries([
        ...(drawn.stamp === 'both' ? [] : [[drawn.stamp, 'datetime = now']]),
        ...fields,
        ...json,
        ['born_on', 'date'],
        ['label', 'string(1..30)'],
        ['topic', 'string(1..30) unique'],
        ['state', 'AgendaState'],
        ['approved_on', 'date?'],
        ['published_at', 'datetime?'],
        ['logged_at', 'datetime = now'],
      ]),
      relations: {
        holder: { to: 'User', unique: true, ...(drawn.optional && { optional: true }) },
        guests: 'User[]',
        earlier: 'Agenda?',
      },
    };
    const discount = drawn.optional ? `${drawn.amount}?` : drawn.amount;
    const billModel = {
      fields: Object.fromEntries([
        ...drawn.bill.map((name) => [name, name === 'discount' ? discount : drawn.amount]),
        ['nights', 'int'],
        ['check_in', 'date'],
        ['check_out', 'date'],
        ['duration_minutes', drawn.optional ? 'int?' : 'int'],
        ['starts_at', 'datetime'],
        ['ends_at', drawn.optional ? 'datetime?' : 'datetime'],
        ['age', 'int'],
        ['date_of_birth', 'date'],
      ]),
      relations: { agenda: 'Agenda' },
    };
    const models = { ...document.models, Agenda: agendaModel, Bill: billModel };
    const enums = { ...document.enums, AgendaState: [...agendaStates] };
    const whole = { ...document, enums, models };
    return {
      ...more,
      text: more.file === 'schema.json' ? JSON.stringify(whole) : stringify(whole),
    };
  });
}
