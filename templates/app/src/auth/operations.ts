import { User } from '../users/schema.ts';
import * as shapes from './schema.ts';

const tags = ['auth'];
const security = [{ login: [] }];
const noContent = { type: 'null', description: 'Done; there is nothing to say.' };

/** What the routes accept and answer, for validation and for the document. */
export const operations = {
  register: {
    operationId: 'register',
    summary: 'Make an account',
    tags,
    body: shapes.Registration,
    response: { 201: User },
  },
  logIn: {
    operationId: 'logIn',
    summary: 'Log in',
    tags,
    consumes: ['application/json', 'application/x-www-form-urlencoded'],
    body: shapes.Login,
    response: { 200: shapes.TokenPair },
  },
  refresh: {
    operationId: 'refresh',
    summary: 'Exchange a refresh token for a new pair',
    tags,
    consumes: ['application/json', 'application/x-www-form-urlencoded'],
    body: shapes.Refresh,
    response: { 200: shapes.TokenPair },
  },
  forgotPassword: {
    operationId: 'forgotPassword',
    summary: 'Ask for a mail with a reset token',
    tags,
    body: shapes.ForgotPassword,
    response: { 200: shapes.Message },
  },
  validateToken: {
    operationId: 'validateResetToken',
    summary: 'Is a reset token good?',
    tags,
    body: shapes.ResetToken,
    response: { 200: shapes.GoodToken },
  },
  resetPassword: {
    operationId: 'resetPassword',
    summary: 'Set a new password with a reset token',
    tags,
    body: shapes.ResetPassword,
    response: { 200: shapes.Message },
  },
  changePassword: {
    operationId: 'changePassword',
    summary: 'Set a new password; other logins end',
    tags,
    security,
    body: shapes.ChangePassword,
    response: { 204: noContent },
  },
  logout: {
    operationId: 'logout',
    summary: 'End this login',
    tags,
    security,
    response: { 204: noContent },
  },
  readMe: {
    operationId: 'readMe',
    summary: 'The current user',
    tags,
    security,
    response: { 200: User },
  },
  updateMe: {
    operationId: 'updateMe',
    summary: 'Change the current user',
    tags,
    security,
    body: shapes.Profile,
    response: { 200: User },
  },
};
