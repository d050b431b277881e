import type { App } from '../../model/app.ts';
import { hasAccounts } from '../../model/app-features.ts';
import { code } from '../typescript.ts';

/** The user of tests that are not about access, who may do everything. */
export function callersView(app: App) {
  const [admin, asAdmin, byAdmin] = hasAccounts(app)
    ? ['admin', "await api.signIn('admin')", "(await api.signIn('admin'))"]
    : ['client', 'api.nobody', 'api.nobody'];
  const writable = app.models.find(({ endpoints }) => endpoints.includes('create'));
  return {
    admin: code(admin),
    asAdmin: code(asAdmin),
    byAdmin: code(byAdmin),
    /** Whom every rule admits. */
    admins: code(hasAccounts(app) ? 'Admins' : '`system`'),
    /** The statuses for refused visitors. */
    refusals: hasAccounts(app) ? '401 or 403' : '403',
    /** Comes before the other statuses of an operation. */
    unauthorized: code(hasAccounts(app) ? '401, ' : ''),
    /** A path that expects a body, to send it an invalid one. */
    bodyPath: hasAccounts(app) || (writable !== undefined && `${app.apiPrefix}/${writable.path}/`),
  };
}
