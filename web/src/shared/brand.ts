import { companies, tenant, type Answer } from '#contract';
import { useApiQuery, useCompanyId, useUser } from '#ui';

type HostBrand = Answer<typeof tenant.getTenantConfig>['data'];
type Look = Pick<HostBrand, 'logo' | 'logo_dark' | 'favicon' | 'primary_color' | 'secondary_color'>;

/** The brand of the host that this page was opened at; null until it is known. */
export function useBrand(): HostBrand | null {
  const { response } = useApiQuery(
    tenant.getTenantConfig,
    { query: { hostname: window.location.hostname } },
    { staleTime: Infinity, silent: true, skipsSessionCheck: true },
  );
  return response?.data ?? null;
}

/**
 * What is shown: for people who are signed in the look of the selected company, and where it has
 * none the host's. Null until it is known.
 */
export function useLook(): (Look & { name: string }) | null {
  const host = useBrand();
  const id = useCompanyId();
  const isSignedIn = useUser() !== null;
  const { response, error } = useApiQuery(
    companies.getCompany,
    { params: { id: id ?? 0 } },
    { enabled: isSignedIn && id !== null, silent: true },
  );
  if (!host || (isSignedIn && id !== null && !response && !error)) return null;
  const own = isSignedIn ? response?.data.branding : undefined;
  return {
    name: host.name,
    // A company's logo for light backgrounds is nearer to it than the host's for dark ones.
    logo: own?.logo ?? host.logo,
    logo_dark: own?.logo_dark ?? own?.logo ?? host.logo_dark,
    favicon: own?.favicon ?? host.favicon,
    primary_color: own?.primary_color ?? host.primary_color,
    // Links follow the nearest color: a company's own over those of its host.
    secondary_color: own?.secondary_color ?? (own?.primary_color ? null : host.secondary_color),
  };
}
