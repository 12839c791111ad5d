import { organizations } from '#contract';
import { useApiQuery, useUser } from '#ui';

/** An organization whose companies can be looked at together. */
interface Scope {
  id: number;
  name: string;
  timezone: string;
}

/** The organizations in which the person has several companies; none until they are known. */
export function useOrganizations(): { scopes: readonly Scope[]; isReady: boolean } {
  const counts = new Map<number, number>();
  for (const { organization_id: id } of useUser()?.companies ?? [])
    if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  const several = [...counts].flatMap(([id, n]) => (n > 1 ? [id] : []));
  const { response, error } = useApiQuery(
    organizations.listOrganizations,
    { query: {} },
    { silent: true, staleTime: 300_000, enabled: several.length > 0 },
  );
  return {
    scopes: (response?.data ?? []).filter(({ id }) => several.includes(id)),
    isReady: several.length === 0 || response !== undefined || error !== null,
  };
}
