import {
  type App,
  type Field,
  isUser,
  type Model,
  type UniqueConstraint,
} from '../../../model/app.ts';
import { findField } from '../../../model/lookups.ts';
import { rememberPerModel } from '../../../model/remember-per-model.ts';
import {
  isClientId,
  defaultsToNull,
  findDefaultValue,
  getTargetModel,
} from '../../../model/writing.ts';
import { exampleValues, type Values } from './example-values.ts';
import { fieldTypes } from '../../../types/all.ts';
import { isChecked } from './values-in-order.ts';

type Constraint = Pick<UniqueConstraint, 'fields' | 'where'>;

/** Fields that no two rows share, or no two of those where a condition holds, with the id if clients write it. */
export function listUniqueConstraints({ unique, fields }: Model): readonly Constraint[] {
  return [...fields.filter(isClientId).map(({ name }) => ({ fields: [name] })), ...unique];
}

export const isConstrained = (name: string, model: Model) =>
  listUniqueConstraints(model).some(({ fields }) => fields.includes(name));

/** Whether a field differs between the two example rows: in what is sent, by null, or by the factory. */
export function differsInRows(
  name: string,
  { full, brief }: { readonly full: Values; readonly brief: Values },
  model: Model,
  app: App,
): boolean {
  const field = findField(model, name);
  if (field === undefined) return false;
  if (!Object.hasOwn(full, name)) return isAlwaysFree(field, model, app);
  const other = brief[name] ?? findDefaultValue(field);
  return other === undefined || other !== full[name];
}

/** Whether unique constraints always allow the factory to create another row. */
export const allowsMoreRows = rememberPerModel(
  (model, app): boolean =>
    isUser(model) ||
    listUniqueConstraints(model).every(({ fields }) =>
      model.fields.some((field) => fields.includes(field.name) && isAlwaysFree(field, model, app)),
    ),
);

/** Whether each new row has another value of the field, or null. */
function isAlwaysFree(field: Field, model: Model, app: App): boolean {
  if (defaultsToNull(field) || field.default?.kind === 'uuid') return true;
  if (field.role !== 'key') return findNumbering(field, model, app) !== undefined;
  return allowsMoreRows(getTargetModel(field, model, app), app);
}

/** Where a number makes each value different: as it is, added to another one, or as four characters of a code. */
export interface Numbered {
  readonly before: string;
  readonly after: string;
  /** Of an integer: what is added. */
  readonly from?: number;
  readonly spelling?: { readonly from: number; readonly characters: string };
}

type NumberedCode = Numbered & Required<Pick<Numbered, 'spelling'>>;

/** Undefined if no number fits into the values of a field. */
export function findNumbering(field: Field, model: Model, app: App): Numbered | undefined {
  const { type } = field;
  // Growing numbers would soon violate a check of two fields.
  if (isChecked(field, model)) return undefined;
  if (type.kind === 'int' || type.kind === 'bigint') return findIntNumbering(field, model, app);
  const isFit = (text: string) => fieldTypes[type.kind].flawOf(text, field) === undefined;
  const forms = numberedTexts(field, model, app).filter(({ before, after }) =>
    ['1', '27', '9999'].every((number) => isFit(before + number + after)),
  );
  return (
    forms[0] ?? numberedCodes(field, model, app).find((form) => printSamples(form).every(isFit))
  );
}

/** Integers that no example uses, as many as a file of tests could need. */
function findIntNumbering(field: Field, model: Model, app: App): Numbered | undefined {
  const [least, most] = [Number(field.min ?? 0), Number(field.max ?? 1e6)];
  const used = exampleValues(model, field, app).map(Number);
  const from = [1000, least, Math.max(least, ...used)].find(
    (start) =>
      Number.isSafeInteger(start) &&
      Number.isSafeInteger(start + maxTurns) &&
      start + 1 >= least &&
      start + maxTurns <= most &&
      !used.some((value) => value > start && value <= start + maxTurns),
  );
  return from === undefined ? undefined : { before: '', after: '', from };
}

function numberedTexts(field: Field, model: Model, app: App) {
  const { type, max } = field;
  if (type.kind === 'email') return [{ before: 'user', after: '@example.test' }];
  if (type.kind !== 'string' && type.kind !== 'text') return [];
  const text = String(exampleValues(model, field, app)[0]).slice(0, Number(max ?? 60) - 5);
  return ['-', ' ', ''].map((sign) => ({ before: text + sign, after: '' }));
}

/** Replaces the last four digits or letters in a row. Their numbers start at a thousand that no example uses. */
function numberedCodes(field: Field, model: Model, app: App): readonly NumberedCode[] {
  if (!codeKinds.has(field.type.kind)) return [];
  const texts = exampleValues(model, field, app).map(String);
  return alphabets.flatMap(({ run, characters }) =>
    texts.flatMap((text) => {
      const { before = '', after = '' } = run.exec(text)?.groups ?? {};
      if (before.length + after.length === text.length) return [];
      const free = thousands.find((from) => {
        const start = before + spellNumber(from, characters).charAt(0);
        return !texts.some((other) => other.startsWith(start) && other.endsWith(after));
      });
      return free === undefined ? [] : [{ before, after, spelling: { from: free, characters } }];
    }),
  );
}

const codeKinds = new Set(['string', 'text', 'url', 'uuid']);

const alphabets = [
  { run: /^(?<before>.*)[0-9]{4}(?<after>.*?)$/su, characters: '0123456789' },
  { run: /^(?<before>.*)[a-z]{4}(?<after>.*?)$/su, characters: 'abcdefghij' },
  { run: /^(?<before>.*)[A-Z]{4}(?<after>.*?)$/su, characters: 'ABCDEFGHIJ' },
];

const thousands = [5000, 6000, 7000, 8000, 1000, 2000, 3000, 4000];

/** How often a file of tests asks for another value, at most. */
const maxTurns = 890;

const printSamples = ({ before, after, spelling: { from, characters } }: NumberedCode) =>
  [from + 1, from + 27, from + maxTurns].map(
    (turn) => before + spellNumber(turn, characters) + after,
  );

/** A number with letters for digits, as the emitted factory spells it. */
const spellNumber = (number: number, characters: string) =>
  [...String(number)].map((digit) => characters.charAt(Number(digit))).join('');

/** Whether a constraint makes the factory give each row another value. */
export const variesByRow = (field: Field, model: Model) =>
  isConstrained(field.name, model) && !defaultsToNull(field) && field.default?.kind !== 'uuid';
