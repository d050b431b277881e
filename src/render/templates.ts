import Handlebars from 'handlebars';
import { InternalError } from '../errors.ts';
import { helpers } from './helpers.ts';
import { readTemplate as read, templateNames } from './template-files.ts';

/** Lists the templates. Each is compiled when it is first rendered. */
export function loadTemplates() {
  const names = templateNames();
  const handlebars = Handlebars.create();
  handlebars.registerHelper(helpers);
  for (const name of names.filter((each) => each.startsWith('partials/'))) {
    handlebars.registerPartial(
      name.slice('partials/'.length).replace(/\.hbs$/, ''),
      compile(handlebars, name),
    );
  }
  const compiled = new Map<string, HandlebarsTemplateDelegate>();
  return {
    /** Paths below `templates/`, sorted. */
    names,
    /** Renders a template. Returns other files unchanged. */
    render(name: string, view: () => object): string {
      if (!name.endsWith('.hbs')) return read(name);
      const template = compiled.get(name) ?? compile(handlebars, name);
      compiled.set(name, template);
      try {
        return template(view());
      } catch (error) {
        throw new InternalError(`templates/${name}: ${String(error)}`, { cause: error });
      }
    },
  };
}

/** Compiles in strict mode, so that a missing value is an error, and without escaping, which `helpers` do. */
function compile(handlebars: typeof Handlebars, name: string): HandlebarsTemplateDelegate {
  const syntax = Handlebars.parse(read(name));
  guardPlainValues.accept(syntax);
  return handlebars.compile(syntax, {
    strict: true,
    noEscape: true,
    preventIndent: true,
    knownHelpersOnly: true,
    knownHelpers: Object.fromEntries(Object.keys(helpers).map((helper) => [helper, true])),
  });
}

/** Turns `{{name}}` into `{{plain name}}`, which accepts only names and printed code. */
const guardPlainValues = new Handlebars.Visitor();
guardPlainValues.MustacheStatement = (statement) => {
  if (!isPathExpression(statement.path) || statement.params.length > 0) return;
  statement.params = [statement.path];
  statement.path = {
    ...statement.path,
    original: 'plain',
    parts: ['plain'],
    depth: 0,
    data: false,
  };
};

/** Handlebars itself takes a condition or a list that no view has for false or empty. */
guardPlainValues.PathExpression = (path) => void Object.assign(path, { strict: true });

const isPathExpression = (path: hbs.AST.Expression): path is hbs.AST.PathExpression =>
  path.type === 'PathExpression';
