import type { Among, Model } from '../../model/app.ts';
import { listAgreeingRelations, getTarget, getField } from '../../model/lookups.ts';
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
  const of = useMember(followPath(path, scope), members.word, scope);
  const isMember = scope.use('../lib/agreement.ts', 'isMember');
  return tsCall(isMember, steps, `() => ${of}`, ...members.roles.map(tsString));
}

/** `['lesson_id', 'lessons.school_class_id']`: a column of the row, then columns of the rows that it leads to. */
function printPath([first = '', ...others]: readonly string[], { model, app }: RuleScope): string {
  let { target } = getTarget(model, first, app);
  const steps = [getField(model, first).name];
  for (const name of others) {
    const { table } = target;
    const step = getTarget(target, name, app);
    steps.push(`${table}.${step.key.column}`);
    target = step.target;
  }
  return tsValue(steps);
}

const followPath = (path: readonly string[], { model, app }: RuleScope): Model =>
  path.reduce((at, name) => getTarget(at, name, app).target, model);

/** The name by which a file refers to a kind of members, perhaps of another model. */
export function useMember(of: Model, word: string, { model, use }: RuleScope): string {
  if (of.names === model.names) return word;
  const name = of.names.variable + capitalized(word);
  use(`../${of.names.folder}/policy.ts`, `${word} as ${name}`);
  return name;
}
