import { systemCtx, type Services } from '../../../platform/context.ts';
import { companyRow } from '../../companies/index.ts';
import { changeSettings } from './change-settings.ts';

/**
 * Opens a company to every network, whatever it inherits: for an operator, when a list of allowed
 * networks keeps everybody out. Returns the company's name; null: there is no such company.
 */
export async function liftNetworks(services: Services, companyId: number): Promise<string | null> {
  // The relay polls, so nothing needs to wake it.
  const ctx = systemCtx(services, companyId, { markDirty: () => {}, notify: () => {} }, 'operator');
  const company = await ctx.transaction((t) => companyRow(t.tx, companyId));
  if (!company) return null;
  await changeSettings(ctx, { companyId, organizationId: null }, { allowed_ip_ranges: [] });
  return company.name;
}
