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

const textsOf = (row: ReturnType<typeof printRow>) => ({
  parameter: sourceText(row.parameter),
  variables: row.variables && sourceText(row.variables),
  members: sourceText(row.members),
});

test('values that nothing else uses are written in the row', () => {
  const row = printRow(
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
  expect(textsOf(row)).toEqual({
    parameter: 'rows',
    variables: false,
    members: "invoice_id: rows.one('invoices').id,\n    note: draw.phrase('net vat invoice'),",
  });
});

test('a variable is declared before whatever uses it, and the row has it by its name', () => {
  const row = printRow(
    [
      { column: 'vat', value: valueOf('vat'), variable: 'vat' },
      { column: 'net_amount', value: valueOf('net'), variable: 'net' },
    ],
    variables,
  );
  expect(textsOf(row)).toEqual({
    parameter: '',
    variables: "const net = draw.decimal('5.00', '500.00');",
    members: 'vat: draw.product(2, net, 0.2),\n      net_amount: net,',
  });
});
