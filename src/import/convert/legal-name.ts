/** Words that begin with a letter, with single `_` between them. */
export const legalName = (name: string) =>
  name
    .replaceAll(/[^A-Za-z0-9_]/g, '_')
    .replaceAll(/__+/g, '_')
    .replaceAll(/^[_\d]+|_+$/g, '');
