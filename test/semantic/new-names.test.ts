import { expect, test } from 'vitest';
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
