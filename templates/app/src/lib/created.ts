import { type RowAnswer, wholeRowKeyword } from './operations.ts';

interface Shown {
  /** True if some of those who may create a row may not read it. */
  readonly isUnread?: boolean;
  /** The field of the response with the secret of the new row's link. */
  readonly secret?: string;
}

/** The response for the creator: the row, or only its id if they may not read it, and once the secret of its link. */
export function createdAnswer({ isUnread = false, secret }: Shown) {
  const once = secret === undefined ? {} : { [secret]: secretType };
  const also = { type: 'object', required: Object.keys(once), properties: once };
  return (answer: RowAnswer): object => {
    const row = answer[wholeRowKeyword];
    const itsId = {
      type: 'object',
      required: ['id'],
      properties: { id: row.properties.id, ...once },
      additionalProperties: false,
    };
    const seen = isUnread ? { anyOf: [row, itsId] } : row;
    return {
      ...answer,
      ...(isUnread && { description: 'The row, or its id alone where you may not read it.' }),
      properties: { ...answer.properties, ...once },
      [wholeRowKeyword]: secret === undefined ? seen : { allOf: [seen, also] },
    };
  };
}

const secretType = { type: 'string', description: 'The secret of its link, which is shown once.' };
