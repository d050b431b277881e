import type { App, Model, Relation } from '../../model/app.ts';
import { getField, getModel } from '../../model/lookups.ts';

/** Models and relations in Mermaid: https://mermaid.js.org/syntax/entityRelationshipDiagram.html */
export function printModelDiagram(app: App): string {
  const lines = app.models.flatMap((model) => [
    `  ${quoteForDiagram(model.names.type)}`,
    ...model.relations.flatMap((relation) => {
      const ends = printEnds(relation, model);
      if (ends === undefined) return [];
      return [
        `  ${quoteForDiagram(model.names.type)} ${ends} ${quoteForDiagram(getModel(relation.target, app).names.type)} : ${quoteForDiagram(relation.name)}`,
      ];
    }),
  ]);
  return ['erDiagram', ...lines].join('\n');
}

/** The multiplicity of both sides. A relation is drawn once, by the model that declares it. */
function printEnds(relation: Relation, model: Model): string | undefined {
  switch (relation.kind) {
    case 'one': {
      const { unique, nullable } = getField(model, relation.key);
      return `${unique ? '|o' : '}o'}--${nullable ? 'o|' : '||'}`;
    }
    case 'links':
      // A relation with `through` is drawn by the relations of that model.
      return relation.idsField === undefined || relation.through !== undefined
        ? undefined
        : '}o--o{';
    case 'inverse':
      return undefined;
  }
}

/** Keeps only safe characters, so that nothing can end the diagram early. */
function quoteForDiagram(name: string): string {
  return `"${name.replaceAll(/[^\w]/g, '_')}"`;
}
