import type { App } from '../../../src/model/app.ts';
import { remember } from '../../../src/remember.ts';
import { buildApp } from '../../../src/model/build.ts';
import { parseSchema } from '../../../src/schema/parse.ts';
import type { Engine } from '../../../src/types/field-type.ts';

/** The app of a schema that is given without its head. */
export function appOf(body: string, engine: Engine = 'sqlite'): App {
  return appOfText(wholeSchema(body, engine));
}

/** Kept, as a random chain asks for the app of the same schema again and again. */
const appOfText = remember((text): App => {
  const { schema, problems } = parseSchema(text);
  if (schema === undefined) {
    throw new Error(`${problems.map(({ message }) => message).join('\n')}\n${text}`);
  }
  return buildApp(schema);
});

export function wholeSchema(body: string, engine: Engine = 'sqlite'): string {
  return `version: 1\napp: { name: blog }\ndatabase: ${engine}\n${body}`;
}
