import { problems, problemsAs } from '../lib/operations/problems.ts';
import { User } from '../users/schema.ts';
import * as shapes from './schema.ts';

const tags = ['auth'];
const security = [{ login: [] }];
/** OAuth 2 clients send forms, too, and read errors as plain JSON alone. */
const json = 'application/json';
const consumes = [json, 'application/x-www-form-urlencoded'];
const noContent = { type: 'null', description: 'Done; there is nothing to say.' };

/** What the routes accept and answer, for validation and for the document. */
export const operations = {
  register: {
    operationId: 'register',
    summary: 'Make an account',
    tags,
    body: shapes.Registration,
    response: { 201: User, ...problems(400, 409, 413, 415, 422, 429) },
  },
  logIn: {
    operationId: 'logIn',
    summary: 'Log in',
    tags,
    consumes,
    body: shapes.Login,
    response: { 200: shapes.TokenPair, ...problemsAs(json, 401, 413, 415, 422, 429) },
  },
  refresh: {
    operationId: 'refresh',
    summary: 'Exchange a refresh token for a new pair',
    tags,
    consumes,
    body: shapes.Refresh,
    response: { 200: shapes.TokenPair, ...problemsAs(json, 401, 413, 415, 422, 429) },
  },
  forgotPassword: {
    operationId: 'forgotPassword',
    summary: 'Ask for a mail with a reset token',
    tags,
    body: shapes.ForgotPassword,
    response: { 200: shapes.Message, ...problems(413, 415, 422, 429) },
  },
  validateToken: {
    operationId: 'validateResetToken',
    summary: 'Is a reset token good?',
    tags,
    body: shapes.ResetToken,
    response: { 200: shapes.GoodResetToken, ...problems(400, 413, 415, 422) },
  },
  resetPassword: {
    operationId: 'resetPassword',
    summary: 'Set a new password with a reset token',
    tags,
    body: shapes.ResetPassword,
    response: { 200: shapes.Message, ...problems(400, 413, 415, 422) },
  },
  changePassword: {
    operationId: 'changePassword',
    summary: 'Set a new password; other logins end',
    tags,
    security,
    body: shapes.ChangePassword,
    response: { 204: noContent, ...problems(401, 413, 415, 422, 429) },
  },
  logout: {
    operationId: 'logout',
    summary: 'End this login',
    tags,
    security,
    response: { 204: noContent, ...problems(401) },
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
    body: shapes.Profile,
    response: { 200: User, ...problems(401, 403, 409, 413, 415, 422) },
  },
};
