import type { Client, SignedIn, TestApp } from '../app.ts';
import { testPassword } from '../factory.ts';

export const newPassword = 'another good password';

/** The calls that tests of accounts make. */
export function accounts({ nobody, make, mailedToken }: TestApp) {
  return {
    register: async (values: object = {}) =>
      nobody.post('/auth/register', { ...(await make.registration()), ...values }),
    logIn: (username: string, password = testPassword) =>
      nobody.post('/auth/token', { username, password }),
    refresh: ({ refreshToken }: Pick<SignedIn, 'refreshToken'>) =>
      nobody.post('/auth/refresh', { refresh_token: refreshToken }),
    changePassword: (client: Client, password = newPassword, current_password = testPassword) =>
      client.post('/auth/change-password', { current_password, password }),
    /** The token that is mailed. */
    async forget(email: string): Promise<string> {
      await nobody.post('/auth/forgot-password', { email });
      return mailedToken(email);
    },
    reset: (token: string, password = newPassword) =>
      nobody.post('/auth/reset-password', { token, password }),
    changeEmail: (client: Client, email: string, current_password = testPassword) =>
      client.post('/auth/change-email', { current_password, email }),
    confirm: (token: string) => nobody.post('/auth/change-email/confirm', { token }),
    revert: (token: string) => nobody.post('/auth/change-email/revert', { token }),
  };
}
