/** SQL functions that SQLite lacks. Each answers NULL for NULL. */
export const functions = {
  /** Lower case for all of Unicode; SQLite's own `lower` knows ASCII alone. */
  fold: (text: unknown) => (typeof text === 'string' ? text.toLowerCase() : text),
  /** A float as JSON writes it: the shortest text that reads back as the same number. */
  float_text: (value: unknown) => (typeof value === 'number' ? JSON.stringify(value) : null),
  base64: (bytes: unknown) => (Buffer.isBuffer(bytes) ? bytes.toString('base64') : null),
};
