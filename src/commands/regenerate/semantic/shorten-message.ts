/** What a compiler says, without the insides of types that fill lines. */
export function shortenMessage(message: string): string {
  const short = message.split("'").map(withoutInsides).join("'").replaceAll(manyValues, '$1 | …');
  return short.length > longest ? `${short.slice(0, longest).replace(/\s+\S*$/, '')} …` : short;
}

/** The rest tells which type is in which; the place tells it, too. */
const longest = 300;

/** `"a" | "b" | "c" | "d" | "e"` */
const manyValues = /("[^"]*"(?: \| "[^"]*"){2})(?: \| "[^"]*"){2,}/g;

function withoutInsides(text: string): string {
  let result = '';
  let depth = 0;
  for (const piece of text.split(/(?=[{}])/)) {
    if (piece.startsWith('{')) {
      if (depth === 0) result += '{ … ';
      depth += 1;
    } else {
      if (piece.startsWith('}') && depth > 0) depth -= 1;
      if (depth === 0) result += piece;
    }
  }
  // What is very long the compiler itself has cut off.
  return depth > 0 ? `${result}}` : result;
}
