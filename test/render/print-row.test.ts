import { expect, test } from 'vitest';
import { printRow } from '../../src/render/views/seed/print-row.ts';
import { sourceText } from '../../src/render/typescript.ts';

const variables = new Map([
  ['invoice', "rows.one('invoices')"],
  ['vat', 'draw.product(2, net, 0.2)'],
  ['net', "draw.decimal('5.00', '500.00')"],
  ['note', "draw.phrase('net vat invoice')"],
]);
const valueOf = (name: string) => variables.get(name) ?? '';

test('values that nothing else uses stand in the row', () => {
  const { parameter, statements, lines } = printRow(
    [
      {
        column: 'invoice_id',
        value: `${valueOf('invoice')}.id`,
        variable: 'invoice',
        named: 'invoice.id',
      },
      { column: 'note', value: valueOf('note'), variable: 'note' },
    ],
    variables,
  );
  expect(sourceText(parameter)).toBe('rows');
  expect(statements).toBe(false);
  expect(sourceText(lines)).toBe(
    "    invoice_id: rows.one('invoices').id,\n    note: draw.phrase('net vat invoice'),",
  );
});

test('a variable stands before whatever uses it, and the row has it by its name', () => {
  const { parameter, statements, lines } = printRow(
    [
      { column: 'vat', value: valueOf('vat'), variable: 'vat' },
      { column: 'net_amount', value: valueOf('net'), variable: 'net' },
    ],
    variables,
  );
  expect(sourceText(parameter)).toBe('');
  expect(statements && sourceText(statements)).toBe(
    "    const net = draw.decimal('5.00', '500.00');",
  );
  expect(sourceText(lines)).toBe('      vat: draw.product(2, net, 0.2),\n      net_amount: net,');
});
