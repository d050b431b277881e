import { singularName } from '../../naming/name.ts';
import type { Rule } from './facts.ts';

/** `plural` says that a name is meant as it is; two models for one word are an error of their own. */
export const modelsAreSingular: Rule = ({ schema }, report) => {
  const names = new Set(schema.models.map(({ name }) => name.value));
  for (const { name, plural } of schema.models) {
    const one = singularName(name.value);
    if (one === undefined || names.has(one) || plural !== undefined) continue;
    report({
      code: 'SCF122',
      severity: 'warning',
      at: name.at,
      message: `\`${name.value}\` looks plural, and a model is named for one row`,
      help: `write \`${one}\`, or give it a \`plural\` when it is meant so`,
    });
  }
};
