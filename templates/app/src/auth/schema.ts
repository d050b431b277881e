import { Type, type Static } from 'typebox';
import { problems, problemsAs } from '../lib/problem.ts';
import * as t from '../lib/types.ts';
import { CreateUser, UpdateUser, User } from '../users/schema.ts';

const closed = (title: string) => ({ title, additionalProperties: false });

/** What new users may say about themselves; roles are given by others. */
export const Registration = Type.Omit(CreateUser, ['role'], {
  ...closed('Registration'),
  examples: Object(CreateUser).examples,
});

/** What users may change about themselves; a new address takes the password: `POST /auth/change-email`. */
export const Profile = Type.Omit(UpdateUser, ['role', 'email'], closed('Profile'));

/** The password grant (RFC 6749, section 4.3); anything else that a client sends is ignored. */
const Login = Type.Object(
  {
    grant_type: Type.Optional(t.OneOf(['password'], { description: 'May be left out.' })),
    username: t.Text({ description: 'The email address.' }),
    password: t.Text({ description: 'The password of the account.' }),
  },
  { title: 'Login' },
);

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

const ofAccount = t.Email({ description: 'The address of the account.' });
const token = t.Text({ description: 'The token at the end of the link in the mail.' });
const current = t.Text({ description: 'Your current password.' });

const ForgotPassword = Type.Object({ email: ofAccount }, closed('ForgotPassword'));

const MailedToken = Type.Object({ token }, closed('MailedToken'));

const GoodResetToken = Type.Object(
  {
    valid: Type.Literal(true, { description: 'Always true: an invalid token is a 400.' }),
    email: Type.String({ description: 'The account whose password it resets.' }),
  },
  { title: 'GoodResetToken', description: 'The token is valid.' },
);

const ResetPassword = Type.Object({ token, password: t.Password }, closed('ResetPassword'));

const ChangePassword = Type.Object(
  { current_password: current, password: t.Password },
  closed('ChangePassword'),
);

const ChangeEmail = Type.Object(
  { current_password: current, email: t.Email({ description: 'The new address.' }) },
  closed('ChangeEmail'),
);

const Message = Type.Object(
  { message: Type.String({ description: 'What was done, for people.' }) },
  { title: 'Message', description: 'It is done, or a mail is on its way.' },
);

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
  register: operation('register', 'Register', {
    description: 'Creates an account. Log in with it to get tokens.',
    body: t.bodyAsSent(Registration),
    response: {
      201: answered('The new account.', User),
      ...problems(400, 409, 413, 415, 422, 429),
    },
  }),
  logIn: operation('logIn', 'Log in', {
    description: 'The password grant of OAuth 2: a pair of tokens for an address and its password.',
    consumes,
    body: Login,
    response: { 200: TokenPair, ...oauthProblems },
  }),
  refresh: operation('refresh', 'Refresh the tokens', {
    description: 'Exchanges a refresh token for a new pair.',
    consumes,
    body: Refresh,
    response: { 200: TokenPair, ...oauthProblems },
  }),
  forgotPassword: operation('forgotPassword', 'Request a password reset', {
    description: 'Mails a link to the address. The answer is the same when nobody has it.',
    body: ForgotPassword,
    response: { 200: Message, ...problems(413, 415, 422, 429) },
  }),
  validateToken: operation('validateResetToken', 'Check a reset token', {
    description: 'Returns the account that a reset token belongs to, without using the token.',
    body: MailedToken,
    response: { 200: GoodResetToken, ...problems(400, 413, 415, 422) },
  }),
  resetPassword: operation('resetPassword', 'Reset the password', {
    description: 'With the token of the mail.',
    body: ResetPassword,
    response: { 200: Message, ...problems(400, 413, 415, 422) },
  }),
  changePassword: operation('changePassword', 'Change the password', {
    description: 'Other logins end. Your access token is void: refresh it.',
    body: ChangePassword,
    response: { 204: noContent, ...problems(401, 413, 415, 422, 429) },
  }),
  changeEmail: operation('changeEmail', 'Change the email address', {
    description: 'The new address is mailed a token that confirms it.',
    body: ChangeEmail,
    response: { 200: Message, ...problems(401, 413, 415, 422, 429) },
  }),
  confirmEmail: operation('confirmEmail', 'Confirm the new email address', {
    description:
      'With the token that was mailed there. Other logins end; your access token is void: refresh it.',
    body: MailedToken,
    response: { 200: Message, ...problems(400, 413, 415, 422) },
  }),
  revertEmail: operation('revertEmail', 'Take the old email address back', {
    description: 'With the token that was mailed there; every login ends.',
    body: MailedToken,
    response: { 200: Message, ...problems(400, 413, 415, 422) },
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
