import type { App } from '../../model/app.ts';
import { hasAccounts } from '../../model/app-features.ts';
import { code } from '../typescript.ts';

/** Who makes the calls in tests that are not about access: somebody who may do everything. */
export function callersView(app: App) {
  const [admin, asAdmin, byAdmin] = hasAccounts(app)
    ? ['admin', "await api.signIn('admin')", "(await api.signIn('admin'))"]
    : ['client', 'api.nobody', 'api.nobody'];
  const writable = app.models.find(({ endpoints }) => endpoints.includes('create'));
  return {
    admin: code(admin),
    asAdmin: code(asAdmin),
    byAdmin: code(byAdmin),
    /** The statuses of answers to those who may not. */
    refusals: hasAccounts(app) ? '401 or 403' : '403',
    /** What happens to clients behind a proxy that is not in `TRUST_PROXY`. */
    mistaken: hasAccounts(app) ? 'share one rate limit' : 'count as one',
    /** Where a body is sent that no schema fits. */
    bodyPath: hasAccounts(app) || (writable !== undefined && `${app.apiPrefix}/${writable.path}/`),
  };
}
