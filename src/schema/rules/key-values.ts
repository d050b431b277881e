import { defaults } from '../language.ts';
import { spellName } from '../../naming/name.ts';
import type { KeyKind } from '../../types/keys.ts';
import { uuidPattern } from '../../types/uuid.ts';
import { modelRule, relationRule, type ModelFacts } from '../facts.ts';

const number = /^[1-9]\d{0,18}$/;

const idForms = {
  int: { fits: isKeyNumber, words: 'a whole number from 1' },
  uuid: { fits: (text: string) => uuidPattern.test(text), words: 'a uuid' },
  text: { fits: (text: string) => text !== '', words: 'a text' },
} as const;

const formOf = (kind: KeyKind = defaults.idType) =>
  kind === 'int' || kind === 'uuid' ? kind : 'text';

/** With `label_id: int` beside a model `Label`, nothing checks that the label exists. */
export const keysAreRelations = modelRule(({ name: model, schema }, report, { models }) => {
  for (const { name, type, optional } of schema.fields) {
    const target = models.find(
      ({ names }) => spellName(name.value, 'snake') === `${names.snake}_id`,
    );
    if (target === undefined || !looksLikeKey(type.value, target)) continue;
    const relation = name.value.replace(/_?id$/i, '');
    const message = `${model}.${name.value} is a plain \`${type.value}\`, not a relation to ${target.name}`;
    const help = `write \`${relation}: ${target.name}${optional ? '?' : ''}\` under \`relations:\`, which brings its key; if the id is from elsewhere, choose another name`;
    report({ code: 'SCF224', severity: 'warning', at: name.at, message, help });
  }
});

function looksLikeKey(type: string, { schema }: ModelFacts): boolean {
  if (type === 'string') return formOf(schema.id?.type?.value) === 'text';
  return ['int', 'bigint', 'uuid'].includes(type);
}

/** The backfill of a relation must be a possible id of its target. */
export const backfillsAreIds = relationRule(({ relation, path }, report, { byName }) => {
  const { to, many, backfill } = relation;
  const target = byName.get(to.value);
  if (backfill === undefined || many || target === undefined) return;
  const { fits, words } = idForms[formOf(target.schema.id?.type?.value)];
  if (typeof backfill.value === 'string' && fits(backfill.value)) return;
  const message = `the backfill of ${path} does not fit: an id of ${target.name} is ${words}`;
  const help =
    'give the id of a row that every database has; or make the relation optional, fill it in, then make it required';
  report({ code: 'SCF402', at: backfill.at, message, help });
});

function isKeyNumber(text: string): boolean {
  return number.test(text) && BigInt(text) < 2n ** 63n;
}
