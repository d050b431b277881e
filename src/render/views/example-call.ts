import type { App, Field, Json, Model } from '../../model/app.ts';
import { shell } from '../helpers.ts';
import { wordOf } from '../../model/access.ts';
import { sampleValue } from '../../model/sample-value.ts';

/** One call that a new user can make, from nothing: sign up, sign in, list. */
export interface ExampleCall {
  readonly email: string;
  readonly password: string;
  /** The body of `POST /auth/register`. */
  readonly registration: { readonly [field: string]: Json };
  /** A path that answers 200 to any signed-in user. */
  readonly list: string;
}

const email = 'ann@example.test';
const password = 'correct-horse-battery';

export function exampleCall(app: App): ExampleCall {
  const user = app.models.find(({ names }) => names.type === 'User');
  const extras = (user?.fields ?? []).filter(isAskedFor);
  const registration = {
    name: 'Ann Example',
    email,
    password,
    ...Object.fromEntries(extras.map((field) => [field.name, sampleValue(field, app)])),
  };
  return { email, password, registration, list: listPath(app) };
}

/** The same, quoted for a shell. */
export function firstCallView(app: App) {
  const { registration, ...call } = exampleCall(app);
  return { call: { ...call, registration: shell(JSON.stringify(registration)) } };
}

function isAskedFor({ role, source, nullable, default: initial }: Field): boolean {
  return role === 'declared' && source === 'client' && !nullable && initial === undefined;
}

const forAnyone = ['public', 'authenticated', 'user', 'owner', 'self'];

function listPath(app: App): string {
  const model = app.models.find(isListedForAnyone);
  return model ? `${app.apiPrefix}/${model.path}/` : '/auth/me';
}

function isListedForAnyone({ names, endpoints, access }: Model): boolean {
  const isOpen = access.list.some((entry) => forAnyone.includes(wordOf(entry)));
  return names.type !== 'User' && endpoints.includes('list') && isOpen;
}
