import { databaseName } from '../naming/database-name.ts';
import { takenTypes } from '../naming/name.ts';
import type { Facts, ModelFacts } from './facts.ts';
import type { Located } from './language.ts';

/** A name in use, and what messages call the thing that has it. */
export interface Claim extends Located<string> {
  readonly title: string;
  /** The model or enum that uses the name. */
  readonly owner: string;
}

/** A model's claim, reported at its name unless `at` is given. */
export const makeClaim = (
  { name, schema }: ModelFacts,
  title: string,
  value: string,
  at = schema.name.at,
): Claim => ({ value, at, title, owner: name });

/** Names that the emitted code uses next to the enums. */
export const takenEnums: ReadonlySet<string> = new Set([
  ...takenTypes,
  ...'BigInt Bool Bytes DateOnly DateTime Decimal Email Float Int Nullable OneOf Text Time Url Uuid'.split(
    ' ',
  ),
]);

/** The types that are emitted for a model: `PostId`, `NewPost`, `CreatePost` and `UpdatePost`. */
export const typesMadeFor = (type: string): readonly string[] => [
  `${type}Id`,
  `New${type}`,
  `Create${type}`,
  `Update${type}`,
];

export function listTables({ models }: Facts): readonly Claim[] {
  const own = models.map((model) =>
    makeClaim(model, model.name, model.table, model.schema.table?.at),
  );
  const joining = models.flatMap(({ name: model, table, schema }) =>
    schema.relations
      .filter(({ many, through }) => many && through === undefined)
      .map(({ name }) => ({
        value: databaseName([table, name.value]),
        at: name.at,
        title: `${model}.${name.value}`,
        owner: `${model}.${name.value}`,
      })),
  );
  return [...own, ...joining];
}
