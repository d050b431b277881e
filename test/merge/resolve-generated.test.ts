import { describe, expect, test } from 'vitest';
import { resolveGenerated } from '../../src/merge/markers.ts';

const conflict = (ours: string, theirs: string) =>
  `title: t.Text(),\n<<<<<<< HEAD\n${ours}=======\n${theirs}>>>>>>> other\nviews: t.Int(),\n`;

const next = 'title: t.Text(),\n  lead: t.Text(),\n  minutes: t.Int(),\nviews: t.Int(),\n';

test('what two branches generated is not a conflict: our side is kept until the merge', () => {
  const text = conflict('lead: t.Text(),\n', 'minutes: t.Int(),\n');
  expect(resolveGenerated(text, next)).toBe('title: t.Text(),\nlead: t.Text(),\nviews: t.Int(),\n');
});

test.each([
  ['ours', conflict('lead: t.Text(), // ours\n', 'minutes: t.Int(),\n')],
  ['theirs', conflict('lead: t.Text(),\n', 'minutes: t.Int({ min: 1 }),\n')],
])('a line that somebody wrote keeps the conflict open: %s', (_, text) => {
  expect(resolveGenerated(text, next)).toBe(text);
});

describe('where it is known what was made on the other branch', () => {
  const theirs = 'title: t.Text(),\n  minutes: t.Int(),\n  subtitle: t.Text(),\nviews: t.Int(),\n';

  test('a generated line that the new text no longer has is nobody’s, too', () => {
    const text = conflict('teaser: t.Text(),\n', 'minutes: t.Int(),\nsubtitle: t.Text(),\n');
    expect(resolveGenerated(text, next, theirs)).toContain('teaser: t.Text(),\nviews');
  });

  test('a line of our own stays, and is left to the merge', () => {
    const text = conflict('own(),\n', 'minutes: t.Int(),\nsubtitle: t.Text(),\n');
    expect(resolveGenerated(text, next, theirs)).toContain('own(),\nviews');
  });

  test.each([
    ['wrote', 'minutes: t.Int(),\nown: t.Int(),\nsubtitle: t.Text(),\n'],
    ['took out', 'minutes: t.Int(),\n'],
  ])('a line that somebody %s there keeps the conflict open', (_, lines) => {
    const text = conflict('lead: t.Text(),\n', lines);
    expect(resolveGenerated(text, next, theirs)).toBe(text);
  });

  test('conflicts one below the other are resolved', () => {
    const [above, below] = [
      conflict('', 'minutes: t.Int(),\n'),
      conflict('', 'subtitle: t.Text(),\n'),
    ];
    const text = above.replace('views: t.Int(),\n', '') + below.replace('title: t.Text(),\n', '');
    expect(resolveGenerated(text, next, theirs)).not.toContain('<<<<<<<');
  });
});

test('generated lines are known in the layout of another formatter', () => {
  const text = conflict('\t\tlead: t\n\t\t\t.Text()\n', 'minutes: t.Int()\n');
  expect(resolveGenerated(text, next)).not.toContain('<<<<<<<');
});

test('a line that occurs once more often than it is generated stays open', () => {
  const text = conflict('lead: t.Text(),\n', 'minutes: t.Int(),\nviews: t.Int(),\n');
  expect(resolveGenerated(text, next)).toBe(text);
});

test('each conflict is resolved by itself', () => {
  const [open, done] = [conflict('own();\n', ''), conflict('lead: t.Text(),\n', '')];
  expect(resolveGenerated(open + done, next)).toBe(
    `${open}title: t.Text(),\nlead: t.Text(),\nviews: t.Int(),\n`,
  );
});
