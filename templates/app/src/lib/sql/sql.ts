/** A piece of SQL and the values of its parameters: one value between every two texts. */
export interface Sql {
  readonly texts: readonly string[];
  readonly values: readonly unknown[];
}

/** Pieces put together: sql`${column} = ${bound(5)}`. Nothing but SQL can be interpolated. */
export function sql(template: TemplateStringsArray, ...pieces: readonly Sql[]): Sql {
  const texts: string[] = [];
  const values: unknown[] = [];
  let text = template[0] ?? '';
  pieces.forEach((piece, index) => {
    const [head = '', ...tail] = piece.texts;
    text += head;
    for (const next of tail) {
      texts.push(text);
      text = next;
    }
    values.push(...piece.values);
    text += template[index + 1];
  });
  texts.push(text);
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
