import { code, type Code } from '../typescript.ts';

/** What makes expressions of `src/lib` longer. */
type Flag =
  | 'fieldRules'
  | 'isPostgres'
  | 'joinModels'
  | 'listFields'
  | 'ownAnswers'
  | 'ownColumns'
  | 'secretLinks'
  | 'twoWays';

/** By name in the templates: the flag, the expression where it is set, and where it is not. */
const expressionForms: Readonly<Record<string, readonly [Flag, string, string]>> = {
  lockedRow: ['isPostgres', 'resource, viewer, id, isLocked: true', 'resource, viewer, id'],
  column: ['ownColumns', 'field.column ?? name', 'name'],
  operatorNames: [
    'listFields',
    '(typeof textual)[number] | (typeof collected)[number]',
    '(typeof textual)[number]',
  ],
  comparedType: ['listFields', 'comparedType(field)', 'field.type'],
  isUnknownKey: ['fieldRules', "'unknown' in key && key.barred === undefined", "'unknown' in key"],
  isKnownName: [
    'fieldRules',
    "!('unknown' in whole) || whole.barred !== undefined",
    "!('unknown' in whole)",
  ],
  foundRows: ['twoWays', '[{ rows: found }]', 'found'],
  rangeScope: ['isPostgres', '{ isInOwnOrder, next }', 'next'],
  part: ['twoWays', 'Way', 'TableRows'],
  onlyRows: ['twoWays', 'only.rows', 'only'],
  forUpdate: ['isPostgres', '${forUpdate}', ''],
  createdAnswer: ['ownAnswers', 'shapes.created?.(row) ?? row', 'row'],
  forKey: ['isPostgres', '${forKey}', ''],
  idAlone: ['secretLinks', 'id, ...once', 'id'],
  shownRow: [
    'secretLinks',
    '__proto__: null, ...(part ?? shown), ...once',
    '__proto__: null, ...(part ?? shown)',
  ],
  crossed: ['fieldRules', 'rows, relation, viewer, isShown', 'relation, viewer, isShown'],
  fieldShown: [
    'fieldRules',
    'seesField(resource, name, viewer), isEmbedded || isReadable',
    'isEmbedded || isReadable',
  ],
  crossedLinks: ['joinModels', 'crossing, relation', 'relation'],
};

export function printExpressions(
  flags: Readonly<Record<Flag, boolean>>,
): Readonly<Record<string, Code>> {
  return Object.fromEntries(
    Object.entries(expressionForms).map(([name, [flag, longer, shorter]]) => [
      name,
      code(flags[flag] ? longer : shorter),
    ]),
  );
}
