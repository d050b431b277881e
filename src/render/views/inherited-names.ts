import type { Field, Model } from '../../model/app.ts';

/** Whether every object has something of the name, such as `toString`: one without the field is taken to have the function. */
export const isInherited = ({ name }: Pick<Field, 'name'>) => name in Object.prototype;

export const inheritedNames = ({ fields }: Model): readonly string[] =>
  fields.filter(isInherited).map(({ name }) => name);
