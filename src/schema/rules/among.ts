import { ofModels } from '../facts.ts';
import { readAgreement } from '../key-agreement.ts';
import { isFlaw } from '../scope.ts';

export const keysCanAgree = ofModels((model, report, facts) => {
  for (const relation of model.schema.relations) {
    const found = readAgreement(relation, model, facts);
    if (!relation.among || !found || !isFlaw(found)) continue;
    const message = `${model.name}.${relation.name.value}: ${found.message}`;
    report({ ...found, code: 'SCF720', at: relation.among.at, message });
  }
});
