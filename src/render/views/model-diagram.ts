import type { App, Relation } from '../../model/app.ts';

/** The models and what leads from one to another, as Mermaid draws it: https://mermaid.js.org/syntax/entityRelationshipDiagram.html */
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
      // What goes through a model is drawn by the relations of that model.
      return relation.idsField === undefined || relation.through !== undefined
        ? undefined
        : '}o--o{';
    case 'inverse':
      return undefined;
  }
}

/** Nothing but what names are made of: no quote, line end or fence gets out of the diagram. */
function quoted(name: string): string {
  return `"${name.replaceAll(/[^\w]/g, '_')}"`;
}
