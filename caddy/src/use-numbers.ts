import { caddy, type Answer } from '#contract';
import { useApiQuery } from '#ui';

export type CaddyNumber = Answer<typeof caddy.listCaddyNumbers>['data'][number];

/** The person's numbers; `active` are those that calls and texts go through. */
export function useNumbers() {
  const { response, error, refetch } = useApiQuery(caddy.listCaddyNumbers, {}, { silent: true });
  const numbers = response?.data;
  return { numbers, active: numbers?.filter(({ isActive }) => isActive), error, refetch };
}
