import { Type, type Static } from 'typebox';
import { problems, problemsAs } from '../lib/problem.ts';
import { bodyAsSent, Password } from '../lib/types.ts';
import * as t from '../lib/types.ts';
import { CreateUser, UpdateUser, User } from '../users/schema.ts';

const closed = (title: string) => ({ title, additionalProperties: false });

/** Everything new users may say about themselves; roles are given by others. */
export const Registration = Type.Omit(CreateUser, ['role'], closed('Registration'));

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

const tags = ['auth'];
const security = [{ login: [] }];
/** OAuth 2 clients send forms, too, and read errors as plain JSON alone. */
const json = 'application/json';
const consumes = [json, 'application/x-www-form-urlencoded'];
const noContent = { type: 'null', description: 'No content.' };

/** What the routes accept and answer, for validation and for the document. */
export const operations = {
  register: {
    operationId: 'register',
    summary: 'Register',
    tags,
    body: bodyAsSent(Registration),
    response: { 201: User, ...problems(400, 409, 413, 415, 422, 429) },
  },
  logIn: {
    operationId: 'logIn',
    summary: 'Log in',
    tags,
    consumes,
    body: Login,
    response: { 200: TokenPair, ...problemsAs(json, 401, 413, 415, 422, 429) },
  },
  refresh: {
    operationId: 'refresh',
    summary: 'Exchange a refresh token for a new pair',
    tags,
    consumes,
    body: Refresh,
    response: { 200: TokenPair, ...problemsAs(json, 401, 413, 415, 422, 429) },
  },
  forgotPassword: {
    operationId: 'forgotPassword',
    summary: 'Request a password reset',
    tags,
    body: ForgotPassword,
    response: { 200: Message, ...problems(413, 415, 422, 429) },
  },
  validateToken: {
    operationId: 'validateResetToken',
    summary: 'Is a reset token good?',
    tags,
    body: MailedToken,
    response: { 200: GoodResetToken, ...problems(400, 413, 415, 422) },
  },
  resetPassword: {
    operationId: 'resetPassword',
    summary: 'Set a new password with a reset token',
    tags,
    body: ResetPassword,
    response: { 200: Message, ...problems(400, 413, 415, 422) },
  },
  changePassword: {
    operationId: 'changePassword',
    summary: 'Set a new password; other logins end',
    tags,
    security,
    body: ChangePassword,
    response: { 204: noContent, ...problems(401, 413, 415, 422, 429) },
  },
  changeEmail: {
    operationId: 'changeEmail',
    summary: 'Ask for another address, which is mailed a token to confirm it',
    tags,
    security,
    body: ChangeEmail,
    response: { 200: Message, ...problems(401, 413, 415, 422, 429) },
  },
  confirmEmail: {
    operationId: 'confirmEmail',
    summary: 'Set the new address with the token that was mailed there; other logins end',
    tags,
    body: MailedToken,
    response: { 200: Message, ...problems(400, 413, 415, 422) },
  },
  revertEmail: {
    operationId: 'revertEmail',
    summary: 'Set the old address again with the token that was mailed there; every login ends',
    tags,
    body: MailedToken,
    response: { 200: Message, ...problems(400, 413, 415, 422) },
  },
  logout: {
    operationId: 'logout',
    summary: 'End this login',
    tags,
    security,
    response: { 204: noContent, ...problems(401, 413, 415, 422) },
  },
  readMe: {
    operationId: 'readMe',
    summary: 'The current user',
    tags,
    security,
    response: { 200: User, ...problems(401) },
  },
  updateMe: {
    operationId: 'updateMe',
    summary: 'Change the current user',
    tags,
    security,
    body: Profile,
    response: { 200: User, ...problems(401, 403, 409, 413, 415, 422) },
  },
};
