import { Type, type Static } from 'typebox';
import * as t from '../lib/types.ts';
import { CreateUser, UpdateUser } from '../users/schema.ts';
import { Password } from './passwords.ts';

const closed = (title: string) => ({ title, additionalProperties: false });

/** Everything new users may say about themselves; roles are given by others. */
export const Registration = Type.Omit(CreateUser, ['role'], closed('Registration'));

export const Profile = Type.Omit(UpdateUser, ['role'], closed('Profile'));

/** The password grant (RFC 6749, section 4.3); what else a client sends is ignored. */
export const Login = Type.Object(
  {
    grant_type: Type.Optional(t.OneOf(['password'])),
    username: t.Text({ description: 'The email address.' }),
    password: t.Text(),
  },
  { title: 'Login' },
);

export const Refresh = Type.Object(
  {
    grant_type: Type.Optional(t.OneOf(['refresh_token'])),
    refresh_token: t.Text(),
  },
  { title: 'Refresh' },
);

export const TokenPair = Type.Object(
  {
    access_token: Type.String(),
    refresh_token: Type.String(),
    token_type: Type.Literal('bearer'),
    expires_in: Type.Integer({ description: 'Seconds for which the access token is good.' }),
  },
  { title: 'TokenPair' },
);
export type TokenPair = Static<typeof TokenPair>;

export const ForgotPassword = Type.Object({ email: t.Email() }, closed('ForgotPassword'));

export const ResetToken = Type.Object({ token: t.Text() }, closed('ResetToken'));

export const GoodResetToken = Type.Object(
  { valid: Type.Literal(true), email: Type.String() },
  { title: 'GoodResetToken' },
);

export const ResetPassword = Type.Object(
  { token: t.Text(), password: Password },
  closed('ResetPassword'),
);

export const ChangePassword = Type.Object(
  { current_password: t.Text(), password: Password },
  closed('ChangePassword'),
);

export const Message = Type.Object({ message: Type.String() }, { title: 'Message' });
