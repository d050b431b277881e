import { parseSync } from 'oxc-parser';

/**
 * The syntax tree of a TypeScript file without what data decides: every text is the same text, a quoted key is a key,
 * and comments, parentheses and places are gone. Two files with equal trees do the same with different data.
 */
export function syntaxTree(path: string, text: string): unknown {
  const { program, errors } = parseSync(path, text, { preserveParens: false });
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`);
  return withoutData(program);
}

const places = new Set(['start', 'end', 'range', 'raw', 'parent', 'hashbang']);

function withoutData(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutData);
  if (typeof node !== 'object' || node === null) return node;
  if (isText(node)) return { type: 'Text' };
  if ('type' in node && node.type === 'TemplateElement') return { type: 'Text' };
  const isKeyed = 'key' in node && 'computed' in node && node.computed === false;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => !places.has(key))
      .map(([key, value]) => [
        key,
        key === 'key' && isKeyed ? { type: 'Key' } : withoutData(value),
      ]),
  );
}

function isText(node: object): boolean {
  if (!('type' in node) || node.type !== 'Literal' || !('value' in node)) return false;
  return typeof node.value === 'string' || 'regex' in node;
}
