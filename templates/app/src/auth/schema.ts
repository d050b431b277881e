import { Type, type Static } from 'typebox';
import * as t from '../lib/types.ts';
import { CreateUser, UpdateUser } from '../users/schema.ts';
import { Password } from './passwords.ts';

/** Everything a new user may say about himself; a role is given by others. */
export const Registration = Type.Omit(CreateUser, ['role'], { additionalProperties: false });
export type Registration = Static<typeof Registration>;

export const Profile = Type.Omit(UpdateUser, ['role'], { additionalProperties: false });

/** The password grant (RFC 6749, section 4.3); what else a client sends is ignored. */
export const Login = Type.Object({
  grant_type: Type.Optional(t.OneOf(['password'])),
  username: t.Text({ description: 'The email address.' }),
  password: t.Text(),
});

export const Refresh = Type.Object({
  grant_type: Type.Optional(t.OneOf(['refresh_token'])),
  refresh_token: t.Text(),
});

export const TokenPair = Type.Object({
  access_token: Type.String(),
  refresh_token: Type.String(),
  token_type: Type.Literal('bearer'),
  expires_in: Type.Integer({ description: 'Seconds for which the access token is good.' }),
});
export type TokenPair = Static<typeof TokenPair>;

export const ForgotPassword = Type.Object({ email: t.Email() }, { additionalProperties: false });

export const ResetToken = Type.Object({ token: t.Text() }, { additionalProperties: false });

export const GoodToken = Type.Object({ valid: Type.Literal(true), email: Type.String() });

export const ResetPassword = Type.Object(
  { token: t.Text(), password: Password },
  { additionalProperties: false },
);

export const ChangePassword = Type.Object(
  { current_password: t.Text(), password: Password },
  { additionalProperties: false },
);

export const Message = Type.Object({ message: Type.String() });
