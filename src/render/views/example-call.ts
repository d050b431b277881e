import { type App, type Field, isUser, type Model } from '../../model/app.ts';
import { hasAccounts } from '../../model/app-features.ts';
import { makeSampleValue } from '../../model/sample-value.ts';
import { isRequired, isWritable } from '../../model/writing.ts';
import type { Json } from '../../types/field-type.ts';
import { quoteForShell } from '../../words.ts';
import { judgeVisitor } from './tests/access-table.ts';

/** A call that a new user can make right away: sign up, sign in, list. */
export interface ExampleCall {
  readonly email: string;
  readonly password: string;
  /** The body of `POST /auth/register`. */
  readonly registration: { readonly [field: string]: Json };
  /** The options of `user:create` for the same user. */
  readonly options: string;
  /** A path that responds with 200 to every signed-in user. */
  readonly list: string;
}

const exampleEmail = 'ann@example.test';
const password = 'correct-horse-battery';

export function makeExampleCall(app: App): ExampleCall {
  const user = app.models.find(isUser);
  const extras = (user?.fields ?? []).filter(isAskedFor);
  const asked: Readonly<Record<string, Json>> = {
    name: 'Ann Example',
    email: exampleEmail,
    ...Object.fromEntries(extras.map((field) => [field.name, makeSampleValue(field, app)])),
  };
  const { name = '', ...others } = asked;
  const registration = { name, email: exampleEmail, password, ...others };
  const options = Object.entries(asked).map(([key, value]) => `--${key} ${quoteValue(value)}`);
  return {
    email: exampleEmail,
    password,
    registration,
    options: options.join(' '),
    list: choosePath(app),
  };
}

const quoteValue = (value: Json) =>
  quoteForShell(typeof value === 'string' ? value : JSON.stringify(value));

const isAskedFor = (field: Field) =>
  field.role === 'declared' && isWritable(field) && isRequired(field);

function choosePath(app: App): string {
  const model = findOpenList(app);
  if (model) return `${app.apiPrefix}/${model.path}/`;
  return hasAccounts(app) ? '/auth/me' : '/health/ready';
}

/** A model whose list is open to every signed-in user. */
export const findOpenList = (app: App): Model | undefined =>
  app.models.find(
    (model) =>
      !isUser(model) &&
      model.endpoints.includes('list') &&
      judgeVisitor('user', 'list', model, app) !== false,
  );
