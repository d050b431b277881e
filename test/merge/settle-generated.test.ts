import { expect, test } from 'vitest';
import { settleGenerated } from '../../src/merge/settle-generated.ts';

const conflict = (mine: string, theirs: string) =>
  `title: t.Text(),\n<<<<<<< HEAD\n${mine}=======\n${theirs}>>>>>>> other\nviews: t.Int(),\n`;

const rendered = 'title: t.Text(),\n  lead: t.Text(),\n  minutes: t.Int(),\nviews: t.Int(),\n';

test('what two branches generated is no conflict: our side stands until the merge', () => {
  const text = conflict('lead: t.Text(),\n', 'minutes: t.Int(),\n');
  expect(settleGenerated(text, rendered)).toBe(
    'title: t.Text(),\nlead: t.Text(),\nviews: t.Int(),\n',
  );
});

test.each([
  ['mine', conflict('lead: t.Text(), // ours\n', 'minutes: t.Int(),\n')],
  ['theirs', conflict('lead: t.Text(),\n', 'minutes: t.Int({ min: 1 }),\n')],
])('a line that somebody wrote keeps the conflict open: %s', (_, text) => {
  expect(settleGenerated(text, rendered)).toBe(text);
});

test('another formatter has been here', () => {
  const text = conflict('\t\tlead: t\n\t\t\t.Text()\n', 'minutes: t.Int()\n');
  expect(settleGenerated(text, rendered)).not.toContain('<<<<<<<');
});

test('a line that is there once more than it is made stays open', () => {
  const text = conflict('lead: t.Text(),\n', 'minutes: t.Int(),\nviews: t.Int(),\n');
  expect(settleGenerated(text, rendered)).toBe(text);
});

test('each conflict is settled by itself', () => {
  const [open, done] = [conflict('own();\n', ''), conflict('lead: t.Text(),\n', '')];
  expect(settleGenerated(open + done, rendered)).toBe(
    `${open}title: t.Text(),\nlead: t.Text(),\nviews: t.Int(),\n`,
  );
});
