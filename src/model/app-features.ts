import { findMomentColumn } from '../types/found-columns.ts';
import { type Field, isPassword, isUser, type Models } from './app.ts';
import { listAgreeingRelations, listMemberKinds } from './lookups.ts';

/** Whether there are users. Without them, all clients are anonymous. */
export const hasAccounts = ({ models }: Models) => models.some(isUser);

const someField = ({ models }: Models, test: (field: Field) => boolean) =>
  models.some(({ fields }) => fields.some(test));

/** Whether users sign in with passwords, instead of with another service. */
export const hasPasswords = (app: Models) => someField(app, isPassword);

export const hasZonelessTimes = (app: Models) =>
  someField(app, ({ stored }) => findMomentColumn(stored)?.hasZone === false);

export const hasMicroseconds = (app: Models) =>
  someField(app, ({ stored }) => findMomentColumn(stored)?.digits === 6);

/** Whether some column of ids has 32 bits. */
export const hasSmallIds = (app: Models) => someField(app, ({ stored }) => stored === 'int');

/** Whether some field has 64 bits, and is therefore text in the API. */
export const hasBigints = (app: Models) => someField(app, ({ type }) => type.kind === 'bigint');

export const hasChecks = ({ models }: Models) => models.some(({ checks }) => checks.length > 0);

export const hasAgreement = ({ models }: Models) =>
  models.some((model) => listAgreeingRelations(model).length > 0);

export const hasMembers = (app: Models) => listMemberKinds(app).length > 0;

export const hasSecretLink = ({ models }: Models) => models.some(({ link }) => link !== undefined);
