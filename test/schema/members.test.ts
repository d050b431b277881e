import { describe, expect, test } from 'vitest';
import { parseSchema } from '../../src/schema/parse.ts';

/** Members of a club, by seats that are deleted with what `seat` names, and the models that it leads to. */
const problems = (
  seat: string,
  models = '',
  { role = 'Rank = guest', kind = 'Seat', club = '' } = {},
) =>
  parseSchema(`version: 1
app: { name: clubs }
enums: { Rank: [guest, owner] }
models:
  Club:
    fields: { name: string }
    relations: { ${club} }
    members: { fellow: ${kind} }
    access: { read: authenticated, create: authenticated }
  Seat:
    fields: { role: ${role} }
    relations: { user: User, club: { to: Club, on_delete: cascade }, ${seat} }
    access: { all: via club.read }
${models}`).problems.filter(({ severity }) => severity !== 'warning');

const tree = (onDelete: string) => `
  Shelf:
    fields: { name: string }
    relations: { parent: { to: Shelf, optional: true, on_delete: ${onDelete} } }
    access: { all: authenticated }
`;
const shelf = 'shelf: { to: Shelf, optional: true, on_delete: cascade }';

describe('rows that make members are deleted with others', () => {
  test('but not with a tree of them', () => {
    expect(problems(shelf, tree('cascade'))).toMatchObject([
      {
        code: 'SCF716',
        help: 'write `on_delete: restrict` at Shelf.parent',
        message: expect.stringContaining('Club.members.fellow: Seat is deleted with Shelf'),
      },
    ]);
    expect(problems(shelf, tree('restrict'))).toEqual([]);
    expect(problems(shelf.replace('cascade', 'restrict'), tree('cascade'))).toEqual([]);
  });

  test('nor with a tree that is further away', () => {
    const box = `${tree('cascade')}
  Box:
    fields: { name: string }
    relations: { ${shelf} }
    access: { all: authenticated }
`;
    const found = problems('box: { to: Box, optional: true, on_delete: cascade }', box);
    expect(found).toMatchObject([{ help: 'write `on_delete: restrict` at Shelf.parent' }]);
  });

  test('nor with each other', () => {
    const found = problems('after: { to: Seat, optional: true, on_delete: cascade }');
    expect(found).toMatchObject([{ help: 'write `on_delete: restrict` at Seat.after' }]);
  });

  test('unless what they are members of is deleted that way', () => {
    const club = 'parent: { to: Club, optional: true, on_delete: cascade }';
    expect(problems('', '', { club })).toEqual([]);
  });

  test('unless anybody may be removed', () => {
    const role = '{ type: Rank, default: guest, write: admin }';
    expect(problems(shelf, tree('cascade'), { role })).toEqual([]);
    const kind = '{ by: Seat, first: owner }';
    expect(problems(shelf, tree('cascade'), { role, kind })).toHaveLength(1);
  });
});
