import { ts } from 'ts-morph';

/** Spells a part of a template of HTML without what prettier may change; undefined for other templates. */
export function spellHtml(token: ts.Node): string | undefined {
  const template = ts.findAncestor(token, ts.isTemplateLiteral);
  if (template === undefined || !isHtml(template)) return undefined;
  const parts = listParts(template);
  const at = parts.indexOf(token);
  if (at === -1) return undefined;
  const isKept = ts.findAncestor(template.parent, (it) => isHtml(it) && keepsSpaces.test(join(it)));
  return isKept ? token.getText() : spellLayout(join(template)).split(gap)[at];
}

const isHtml = (node: ts.Node): node is ts.TemplateLiteral =>
  ts.isTemplateLiteral(node) &&
  ts.isTaggedTemplateExpression(node.parent) &&
  node.parent.tag.getText() === 'html';

const listParts = (template: ts.TemplateLiteral): readonly ts.Node[] =>
  ts.isTemplateExpression(template)
    ? [template.head, ...template.templateSpans.map(({ literal }) => literal)]
    : [template];

/** The text of a template, with a character for each of its values. */
const join = (template: ts.TemplateLiteral) =>
  listParts(template)
    .map((it) => it.getText())
    .join(gap);

const gap = '\0';

/** A break becomes a space, or nothing at the edge of a block, where a browser shows no space. */
const spellLayout = (html: string) =>
  html.replaceAll(pieces, spellPiece).replaceAll(besideBlock, '').replaceAll('\n', ' ');

function spellPiece(piece: string, keeper: string | undefined): string {
  if (keeper !== undefined || piece.startsWith('<!--')) return keepBreaks(piece);
  if (!piece.startsWith('<')) return '\n';
  return piece.replaceAll(
    /("[^"]*"|'[^']*')|[ \t\r\n]+(\/?>$)?/g,
    (_, quoted: string | undefined, end = ' ') => (quoted ? keepBreaks(quoted) : end),
  );
}

const keepBreaks = (text: string) => text.replaceAll('\n', '\v');

const keepers = '<(pre|textarea|script|style)\\b';
const keepsSpaces = new RegExp(keepers, 'i');
const attributes = `(?:"[^"]*"|'[^']*'|[^>"'])*`;
const kept = `(?<=${keepers}${attributes}>)(?!</\\1)[\\s\\S]+?(?=</\\1|$)`;
const pieces = new RegExp(
  `${kept}|<!--[\\s\\S]*?-->|<[a-z/!]${attributes}>|[ \\t\\r\\n]*\\n[ \\t\\r\\n]*`,
  'gi',
);

const block =
  '</?(?:!doctype|html|head|meta|title|link|base|script|style|body|main|header|footer|section|article|aside|nav|div|p|h[1-6]|ul|ol|li|dl|dt|dd|table|caption|thead|tbody|tfoot|tr|th|td|form|fieldset|legend|option|pre|blockquote|figure|figcaption|details|summary|hr|br)(?![\\w-])';
const besideBlock = new RegExp(`(?<=${block}[^<>]*>)\\n|\\n(?=${block})`, 'gi');
