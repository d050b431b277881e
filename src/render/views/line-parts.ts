import type { App } from '../../model/app.ts';
import { hasAccounts, hasSecretLink } from '../../model/app-features.ts';
import { type Code, code } from '../typescript.ts';
import { hasFieldRules } from './field-type.ts';

/** Features that a part of a line depends on. */
type Flag = 'assigned' | 'joinModels' | 'listFields' | 'ownAnswers' | 'ownColumns' | 'twoWays';

/** Parts of lines in `src/lib`, each with a form for every combination of features. */
export function linePartsView(app: App, words: Readonly<Record<Flag, boolean>>) {
  const { ownColumns, assigned, twoWays } = words;
  const ruled = hasFieldRules(app);
  const isPostgres = app.database === 'postgres';
  const keys = [...(ownColumns ? ['column'] : []), 'computed', ...(assigned ? ['owner'] : [])];
  return {
    noAccount: where(hasAccounts(app), '401, '),
    forAdmins: where(hasAccounts(app), ', for admins'),
    withOnce: where(hasSecretLink(app), ', ...once'),
    forUpdate: where(isPostgres, '${forUpdate}'),
    forKey: where(isPostgres, '${forKey}'),
    isLocked: where(isPostgres, ', isLocked: true'),
    nextRange: where(isPostgres, '{ isInOwnOrder, next }', 'next'),
    unwritable: where(ruled, 'values that they may not write and for '),
    isShown: where(ruled, ', true'),
    hereRows: where(ruled, 'rows, '),
    butBarred: where(ruled, ' && key.barred === undefined'),
    orBarred: where(ruled, ' || whole.barred !== undefined'),
    joint: where(words.joinModels, 'crossing, relation', 'relation'),
    created: where(words.ownAnswers, 'shapes.created?.(row) ?? row', 'row'),
    column: where(ownColumns, 'field.column ?? name', 'name'),
    kept: {
      names: code(keys.map((key) => `'${key}'`).join(' | ')),
      values: code(keys.join(', ')),
    },
    orCollected: where(words.listFields, ' | (typeof collected)[number]'),
    compared: where(words.listFields, 'comparedType(field)', 'field.type'),
    pageRows: where(twoWays, '[{ rows: found }]', 'found'),
    part: where(twoWays, 'Way', 'TableRows'),
    ofPart: where(twoWays, '.rows'),
  };
}

const where = (isSo: boolean, text: string, otherwise = ''): Code => code(isSo ? text : otherwise);
