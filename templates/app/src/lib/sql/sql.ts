/** A piece of SQL and the values of its parameters: one value between every two texts. */
export interface Sql {
  readonly texts: readonly string[];
  readonly values: readonly unknown[];
}

/** Pieces put together: sql`${column} = ${bound(5)}`. Nothing but SQL can be interpolated. */
export function sql(template: TemplateStringsArray, ...pieces: readonly Sql[]): Sql {
  const texts = [template[0] ?? ''];
  const values: unknown[] = [];
  pieces.forEach((piece, index) => {
    const [head = '', ...tail] = piece.texts;
    texts.push(`${texts.pop()}${head}`, ...tail);
    texts.push(`${texts.pop()}${template[index + 1]}`);
    values.push(...piece.values);
  });
  return { texts, values };
}

/** Text of ours. What a client sent is `bound`. */
export function raw(text: string): Sql {
  return { texts: [text], values: [] };
}

export function bound(value: unknown): Sql {
  return { texts: ['', ''], values: [value] };
}

export function name(identifier: string): Sql {
  return raw(`"${identifier.replaceAll('"', '""')}"`);
}

export function literal(text: string): Sql {
  return raw(`'${text.replaceAll("'", "''")}'`);
}

export function joined(pieces: readonly Sql[], separator: string): Sql {
  const [first = raw(''), ...others] = pieces;
  return others.reduce((all, piece) => sql`${all}${raw(separator)}${piece}`, first);
}

/** ` where a and b`, or nothing. */
export function where(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? raw('') : sql` where ${joined(conditions, ' and ')}`;
}
