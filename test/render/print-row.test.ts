import { expect, test } from 'vitest';
import { columnLine, printRow } from '../../src/render/views/seed/print-row.ts';
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
      columnLine('invoice_id', `${valueOf('invoice')}.id`, 'invoice', 'invoice.id'),
      columnLine('note', valueOf('note'), 'note'),
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
    [columnLine('vat', valueOf('vat'), 'vat'), columnLine('net_amount', valueOf('net'), 'net')],
    variables,
  );
  expect(sourceText(parameter)).toBe('');
  expect(statements && sourceText(statements)).toBe(
    "    const net = draw.decimal('5.00', '500.00');",
  );
  expect(sourceText(lines)).toBe('      vat: draw.product(2, net, 0.2),\n      net_amount: net,');
});
