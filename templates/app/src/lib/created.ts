import { type RowAnswer, wholeRowKeyword } from './operations.ts';

interface Told {
  /** Whether not everybody who may create a row may read it. */
  readonly isUnread?: boolean;
  /** The name under which whoever makes a row is told the secret of its link. */
  readonly secret?: string;
}

/** What its maker is answered: the row, or its id where they may not read it; and once the secret of its link. */
export function createdAnswer({ isUnread = false, secret }: Told) {
  const told = secret === undefined ? {} : { [secret]: secretType };
  const also = { type: 'object', required: Object.keys(told), properties: told };
  return (answer: RowAnswer): object => {
    const row = answer[wholeRowKeyword];
    const itsId = {
      type: 'object',
      required: ['id'],
      properties: { id: row.properties.id, ...told },
      additionalProperties: false,
    };
    const seen = isUnread ? { anyOf: [row, itsId] } : row;
    return {
      ...answer,
      ...(isUnread && { description: 'The row, or its id alone where you may not read it.' }),
      properties: { ...answer.properties, ...told },
      [wholeRowKeyword]: secret === undefined ? seen : { allOf: [seen, also] },
    };
  };
}

const secretType = { type: 'string', description: 'The secret of its link, which is told once.' };
