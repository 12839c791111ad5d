import { useEffect } from 'react';
import { tenant, type Answer } from '#contract';
import { useApiQuery } from '#ui';

type Brand = Answer<typeof tenant.getTenantConfig>['data'];

/** The brand of the host that this page was opened at; null until it is known. Shows its icon. */
export function useBrand(): Brand | null {
  const { response } = useApiQuery(
    tenant.getTenantConfig,
    { query: { hostname: window.location.hostname } },
    { staleTime: Infinity, silent: true, skipsSessionCheck: true },
  );
  const icon = response?.data.favicon ?? null;
  useEffect(() => {
    if (icon) showIcon(icon);
  }, [icon]);
  return response?.data ?? null;
}

/** Replaces the icons of the tab. */
function showIcon(address: string): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="icon"]')) link.remove();
  const link = document.createElement('link');
  Object.assign(link, { rel: 'icon', type: 'image/png', href: address });
  document.head.append(link);
}
