import { expect, test } from 'vitest';
import { emit } from '../support/emit.ts';

test.each([
  ['staff(manager)', '201'],
  ['staff', '201'],
  ['staff(clerk)', '422'],
  ['admin', '422'],
])('who creates a row is its first manager, and may send what `%s` writes: %s', (write, answer) => {
  const written = emit(`
version: 1
app: { name: clinics }
enums: { StaffRole: [clerk, manager] }
models:
  Clinic:
    fields: { name: string(1..80), tax_number: { type: string?, write: ${write} } }
    members: { staff: { by: Staff, if: accepted = true, first: manager } }
    access: { create: authenticated, read: staff, update: staff }
  Staff:
    fields: { role: StaffRole = clerk, accepted: { type: bool, default: false, write: is user } }
    relations: { user: User, clinic: { to: Clinic, on_delete: cascade } }
    access: { all: via clinic.update, read: [is user, via clinic.read] }
`);
  const tests = written.find(({ path }) => path === 'test/clinics.test.ts')?.content;
  expect(tests).toContain(`create: { public: 401, user: ${answer}, admin: 201 }`);
});
