/** A library small enough to plan in a blink; each version changes one thing. */
export const library = `version: 1
app: { name: library }
models:
  Book:
    fields:
      title: string(1..100)
      pages: int?
    relations:
      owner: User
  Shelf:
    fields:
      label: string(1..40)
`;

export const withSubtitle = library.replace('pages: int?', 'pages: int?\n      subtitle: string?');
export const withHeading = library.replace(
  'title: string(1..100)',
  'heading: { type: string(1..100), was: title }',
);
export const withoutShelf = library.replace(/ {2}Shelf:[^]*/, '');
export const withMagazine = `${library}  Magazine:\n    fields:\n      issue: int\n`;
export const renamedBook = library.replace('  Book:\n', '  Volume:\n    was: Book\n');
export const onPostgres = library.replace('models:', 'database: postgres\nmodels:');
