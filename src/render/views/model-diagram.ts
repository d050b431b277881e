import type { App, Relation } from '../../model/app.ts';

/** Models and relations in Mermaid: https://mermaid.js.org/syntax/entityRelationshipDiagram.html */
export function modelDiagram({ models }: App): string {
  const lines = models.flatMap(({ names, relations }) => [
    `  ${quoted(names.type)}`,
    ...relations.flatMap((relation) => {
      const ends = endsOf(relation);
      if (ends === undefined) return [];
      return [
        `  ${quoted(names.type)} ${ends} ${quoted(relation.target)} : ${quoted(relation.name)}`,
      ];
    }),
  ]);
  return ['erDiagram', ...lines].join('\n');
}

/** How many rows there are on either side. A relation is drawn once, from where it is declared. */
function endsOf(relation: Relation): string | undefined {
  switch (relation.kind) {
    case 'one':
      return `${relation.unique ? '|o' : '}o'}--${relation.optional ? 'o|' : '||'}`;
    case 'links':
      // A relation through a model is drawn by that model's relations.
      return relation.idsField === undefined || relation.through !== undefined
        ? undefined
        : '}o--o{';
    case 'inverse':
      return undefined;
  }
}

/** Keeps only characters of names, so that no quote, line end or fence can end the diagram. */
function quoted(name: string): string {
  return `"${name.replaceAll(/[^\w]/g, '_')}"`;
}
