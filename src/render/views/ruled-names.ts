import type { Entry, Model } from '../../model/app.ts';
import { linksOf } from './field-type.ts';

/** What a row has under a name, and who else sees or writes it. */
interface RuledName {
  readonly name: string;
  readonly read?: readonly Entry[];
  readonly write?: readonly Entry[];
}

/** The fields and lists of ids that have rules of their own, as the API calls them. */
export function ruledNames(model: Model): readonly RuledName[] {
  const links = linksOf(model).map((link) => ({ ...link, name: link.idsField }));
  return [...model.fields, ...links].filter(
    ({ read, write }) => read !== undefined || write !== undefined,
  );
}
