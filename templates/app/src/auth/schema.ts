import { Type, type Static } from 'typebox';
import { problems, problemsAs } from '../lib/problem.ts';
import { bodyAsSent, Password } from '../lib/types.ts';
import * as t from '../lib/types.ts';
import { CreateUser, UpdateUser, User } from '../users/schema.ts';

const closed = (title: string) => ({ title, additionalProperties: false });

/** Everything new users may say about themselves; roles are given by others. */
export const Registration = Type.Omit(CreateUser, ['role'], {
  ...closed('Registration'),
  examples: Object(CreateUser).examples,
});

/** What users change about themselves; an address takes the password: `POST /auth/change-email`. */
export const Profile = Type.Omit(UpdateUser, ['role', 'email'], closed('Profile'));

/** The password grant (RFC 6749, section 4.3); what else a client sends is ignored. */
const Login = Type.Object(
  {
    grant_type: Type.Optional(t.OneOf(['password'])),
    username: t.Text({ description: 'The email address.' }),
    password: t.Text(),
  },
  { title: 'Login' },
);

const Refresh = Type.Object(
  {
    grant_type: Type.Optional(t.OneOf(['refresh_token'])),
    refresh_token: t.Text(),
  },
  { title: 'Refresh' },
);

const TokenPair = Type.Object(
  {
    access_token: Type.String(),
    refresh_token: Type.String(),
    token_type: Type.Literal('bearer'),
    expires_in: Type.Integer({ description: 'Seconds for which the access token is good.' }),
  },
  { title: 'TokenPair' },
);
export type TokenPair = Static<typeof TokenPair>;

const ForgotPassword = Type.Object({ email: t.Email() }, closed('ForgotPassword'));

const MailedToken = Type.Object({ token: t.Text() }, closed('MailedToken'));

const GoodResetToken = Type.Object(
  { valid: Type.Literal(true), email: Type.String() },
  { title: 'GoodResetToken' },
);

const ResetPassword = Type.Object({ token: t.Text(), password: Password }, closed('ResetPassword'));

const ChangePassword = Type.Object(
  { current_password: t.Text(), password: Password },
  closed('ChangePassword'),
);

const ChangeEmail = Type.Object(
  { current_password: t.Text(), email: t.Email() },
  closed('ChangeEmail'),
);

const Message = Type.Object({ message: Type.String() }, { title: 'Message' });

const security = [{ login: [] }];
/** OAuth 2 clients send forms, too, and read errors as plain JSON alone. */
const json = 'application/json';
const consumes = [json, 'application/x-www-form-urlencoded'];
const oauthProblems = problemsAs(json, 401, 413, 415, 422, 429, 500, 503);
const noContent = { type: 'null', description: 'No content.' };

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

/** What the routes accept and answer, for validation and for the document. */
export const operations = {
  register: operation('register', 'Register', {
    description: 'Makes an account. Log in with it to get tokens.',
    body: bodyAsSent(Registration),
    response: { 201: User, ...problems(400, 409, 413, 415, 422, 429) },
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
    description: 'Says whose password the token of the mail would reset, and uses nothing up.',
    body: MailedToken,
    response: { 200: GoodResetToken, ...problems(400, 413, 415, 422) },
  }),
  resetPassword: operation('resetPassword', 'Reset the password', {
    description: 'With the token of the mail.',
    body: ResetPassword,
    response: { 200: Message, ...problems(400, 413, 415, 422) },
  }),
  changePassword: operation('changePassword', 'Change the password', {
    description: 'Other logins end.',
    security,
    body: ChangePassword,
    response: { 204: noContent, ...problems(401, 413, 415, 422, 429) },
  }),
  changeEmail: operation('changeEmail', 'Change the email address', {
    description: 'The new address is mailed a token that confirms it.',
    security,
    body: ChangeEmail,
    response: { 200: Message, ...problems(401, 413, 415, 422, 429) },
  }),
  confirmEmail: operation('confirmEmail', 'Confirm the new email address', {
    description: 'With the token that was mailed there; other logins end.',
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
    security,
    response: { 204: noContent, ...problems(401, 413, 415, 422) },
  }),
  readMe: operation('readMe', 'Read the current user', {
    description: 'Whoever the access token belongs to.',
    security,
    response: { 200: User, ...problems(401) },
  }),
  updateMe: operation('updateMe', 'Update the current user', {
    description: 'What you leave out stays as it is.',
    security,
    body: Profile,
    response: { 200: User, ...problems(401, 403, 409, 413, 415, 422) },
  }),
};
