import type { Selectable } from 'kysely';
import type { EffectiveRole, fields as contract } from '#contract';
import { isFeatureOn } from '#contract/numbers/features/rules';
import { companySettingsOf } from '#contract/settings/rules';
import type { Tables } from '../../platform/tables.ts';

interface PlatformAccess {
  name: string;
  reason: string;
  since: string;
  until: string;
  may_write: boolean;
}
type CompanyRow = Selectable<Tables['company']>;

/** A company as the API returns it to this role, with its counts and custom fields. */
export function presentCompany(
  c: CompanyRow,
  actAs: EffectiveRole,
  users: number,
  counts: { numbers: number; contacts: number; unread: number },
  values: contract.FieldValue[],
) {
  const hasOwnBrand = isFeatureOn(c.settings, 'white-label');
  const branding = (hasOwnBrand && c.branding ? c.branding : {}) as Record<string, string | null>;
  return {
    id: c.id,
    name: c.name,
    slug: c.slug,
    status: c.status as 0 | 1 | 2,
    phone: c.phone,
    email: c.email,
    website: c.website,
    industry: c.industry,
    timezone: c.timezone,
    address: c.address as Record<string, string>,
    organization_id: c.organization_id,
    plan: c.plan,
    branding: {
      logo: branding['logo'] ?? null,
      logo_dark: branding['logo_dark'] ?? null,
      primary_color: branding['primary_color'] ?? null,
      secondary_color: branding['secondary_color'] ?? null,
      favicon: branding['favicon'] ?? null,
    },
    eav_attribute_values: values,
    ai_eav: { enabled: isFeatureOn(c.settings, 'ai-eav'), fields: [] },
    is_onboarding_required: !c.onboarded_at,
    onboarding_steps: [
      { key: 'number', done: counts.numbers > 0 },
      { key: 'people', done: users > 1 },
      { key: 'message', done: counts.contacts > 0 },
    ],
    act_as: actAs,
    links_enabled: c.links_enabled,
    texting_requires_verification: requiresVerification(c.settings),
    settings: companySettingsOf({
      ...(c.settings as object),
      timezone: c.timezone,
      links_enabled: c.links_enabled,
    }),
    platform_access: [] as PlatformAccess[],
    counts: { users, ...counts },
    created_at: c.created_at.toISOString(),
  };
}
const requiresVerification = (settings: unknown): boolean | null => {
  const value = (settings as Record<string, unknown> | null)?.['texting_requires_verification'];
  return typeof value === 'boolean' ? value : null;
};
/** A company as it stands in the company switch. */
export const presentCompanySlim = (c: CompanyRow, role: EffectiveRole) => ({
  id: c.id,
  name: c.name,
  slug: c.slug,
  role,
  status: c.status as 0 | 1 | 2,
  organization_id: c.organization_id,
});
