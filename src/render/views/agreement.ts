import type { Among, Model } from '../../model/app.ts';
import { listAgreeingRelations, getPath } from '../../model/lookups.ts';
import { capitalized } from '../../naming/name.ts';
import { tsCall, tsObject, tsString, tsValue } from '../typescript.ts';
import type { RuleScope } from './condition.ts';

/** Prints the `agreement` of a policy; undefined if no keys have to agree. */
export function agreementRule(scope: RuleScope): string | undefined {
  const { model, use } = scope;
  const keys = listAgreeingRelations(model).map(
    ({ key, name, among }) => [key, printAgreement(name, among, scope)] as const,
  );
  if (keys.length === 0) return undefined;
  return tsCall(use('../lib/agreement.ts', 'agreement'), tsObject(Object.fromEntries(keys)));
}

function printAgreement(name: string, { path, members, own }: Among, scope: RuleScope): string {
  const steps = printPath(path, scope);
  if (members === undefined) {
    const mine = printPath([name, own ?? ''], scope);
    return tsCall(scope.use('../lib/agreement.ts', 'sameRow'), mine, steps);
  }
  const end = getPath(path, scope.model, scope.app).at(-1)?.target ?? scope.model;
  const of = useMember(end, members.word, scope);
  const isMember = scope.use('../lib/agreement.ts', 'isMember');
  return tsCall(isMember, steps, `() => ${of}`, ...members.roles.map(tsString));
}

/** `['lesson_id', 'lessons.school_class_id']`: a column of the row, then columns of the rows that it leads to. */
const printPath = (path: readonly string[], scope: RuleScope): string =>
  tsValue(
    getPath(path, scope.model, scope.app).map(({ model, key }, at) =>
      at === 0 ? key.name : `${model.table}.${key.column}`,
    ),
  );

/** The name by which a file refers to a kind of members, perhaps of another model. */
export function useMember(of: Model, word: string, { model, use }: RuleScope): string {
  if (of.names === model.names) return word;
  const name = of.names.variable + capitalized(word);
  use(`../${of.names.folder}/policy.ts`, `${word} as ${name}`);
  return name;
}
