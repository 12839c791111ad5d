import { organizations } from '#contract';
import { useApiQuery } from '#ui';

/** The organization that the person administers: the first by name; null: none, or not loaded. */
export function useOrganization() {
  const query = useApiQuery(organizations.listOrganizations, { query: {} }, { staleTime: 60_000 });
  const organization = query.response?.data.find((o) => o.is_admin) ?? null;
  return { organization, error: query.error, refetch: query.refetch };
}
