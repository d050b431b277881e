import { expect, test } from 'vitest';
import { nameByMention } from '../../src/commands/regenerate/semantic/misfits.ts';
import { collectRenamed, newNames } from '../../src/project/plan/spellings.ts';
import { appOf, nextApp } from '../merge/support/evolutions.ts';

const shop = `
version: 1
app: { name: shop }
enums:
  OrderStatus: [open, sent]
models:
  Order:
    fields: { status: OrderStatus }
  OrderLine:
    relations: { order: Order }
`;

test.each([
  ['Order', ['Purchase']],
  ['createOrder', ['createPurchase']],
  ['order_id', ['purchase_id']],
  ['OrderLine', []],
  ['createOrderLine', []],
  ['order_lines', []],
  ['OrderStatus', []],
])('%s of a renamed model is %j', (word, expected) => {
  const before = appOf(shop);
  const purchases = shop
    .replace('  Order:', '  Purchase:')
    .replace('order: Order', 'purchase: Purchase');
  const renames = ['Order=Purchase', 'OrderLine.order=purchase'];
  const app = before && nextApp(before, purchases, renames);
  if (!before || !app) throw new Error('The schemas are not sound.');
  const spellings = collectRenamed(before, app).everywhere;
  expect(newNames(before, { app, spellings })(word)).toEqual(expected);
});

test('a problem of a list of columns is given the new name of the one on its line', () => {
  const message = "Argument of type 'string[]' is not assignable to parameter of type 'Columns'.";
  const problem = { path: 'src/latest.ts', line: 4, column: 13, code: 'TS2769', message };
  const mention = { ...problem, word: 'title', newName: 'heading', isBroken: false };
  const renamed = { from: 'title', to: 'heading' };
  expect(nameByMention(problem, [mention])).toEqual({ ...problem, renamed });
  expect(nameByMention(problem, [{ ...mention, line: 5 }])).toEqual(problem);
});
