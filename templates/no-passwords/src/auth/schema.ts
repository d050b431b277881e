import { Type, type Static } from 'typebox';
import { problems, problemsAs } from '../lib/problem.ts';
import * as t from '../lib/types.ts';
import { UpdateUser, User } from '../users/schema.ts';

const closed = (title: string) => ({ title, additionalProperties: false });

/** What users may change about themselves; their address is changed by an admin. */
export const Profile = Type.Omit(UpdateUser, ['role', 'email'], closed('Profile'));

const Refresh = Type.Object(
  {
    grant_type: Type.Optional(t.OneOf(['refresh_token'], { description: 'May be left out.' })),
    refresh_token: t.Text({ description: 'The latest one that you were given. It works once.' }),
  },
  { title: 'Refresh' },
);

const TokenPair = Type.Object(
  {
    access_token: Type.String({ description: 'Sent as `Authorization: Bearer …`.' }),
    refresh_token: Type.String({ description: 'Exchange it, once, for the next pair.' }),
    token_type: Type.Literal('bearer', { description: 'How the access token is sent.' }),
    expires_in: Type.Integer({ description: 'Seconds until the access token expires.' }),
  },
  { title: 'TokenPair', description: 'An access token, and a refresh token for the next pair.' },
);
export type TokenPair = Static<typeof TokenPair>;

/** OAuth 2 clients may send forms, and read errors as plain JSON only. */
const json = 'application/json';
const consumes = [json, 'application/x-www-form-urlencoded'];
const oauthProblems = problemsAs(json, 401, 413, 415, 422, 429, 500, 503);
const noContent = { type: 'null', description: 'No content.' };

const answered = <Answer extends object>(description: string, answer: Answer): Answer => ({
  ...answer,
  'x-response-description': description,
});

const operation = <Schema extends object>(
  operationId: string,
  summary: string,
  schema: Schema,
) => ({
  operationId,
  summary,
  tags: ['auth'],
  security: [],
  ...schema,
});

export const operations = {
  refresh: operation('refresh', 'Refresh the tokens', {
    description: 'Exchanges a refresh token for a new pair.',
    consumes,
    body: Refresh,
    response: { 200: TokenPair, ...oauthProblems },
  }),
  logout: operation('logout', 'Log out', {
    description: 'Other logins stay.',
    response: { 204: noContent, ...problems(401, 413, 415, 422) },
  }),
  readMe: operation('readMe', 'Read the current user', {
    description: 'The user that the access token belongs to.',
    response: { 200: answered('Your own row.', User), ...problems(401) },
  }),
  updateMe: operation('updateMe', 'Update the current user', {
    description: 'What you leave out stays as it is.',
    body: Profile,
    response: {
      200: answered('Your own row, changed.', User),
      ...problems(401, 403, 409, 413, 415, 422),
    },
  }),
};
