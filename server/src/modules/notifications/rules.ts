import { grantOf, type EffectiveRole, type PermissionKey } from '#contract';

/**
 * Push services of known browsers: users choose the address of a subscription, and we post to it.
 */
const pushServices = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  'push.services.mozilla.com',
  'web.push.apple.com',
  'notify.windows.com',
];
/**
 * Why a web push address is refused, so that we request no others than push services. Null: it is
 * fine.
 */
export function endpointProblem(endpoint: string): 'not_https' | 'unknown_service' | null {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (
    !url ||
    url.protocol !== 'https:' ||
    url.username ||
    url.password ||
    (url.port && url.port !== '443')
  )
    return 'not_https';
  return pushServices.some((s) => url.hostname === s || url.hostname.endsWith(`.${s}`))
    ? null
    : 'unknown_service';
}

interface Colleague {
  user_id: number;
  role: string;
  number_ids: readonly number[];
  switches: Readonly<Record<string, unknown>>;
}
/**
 * True when the user can see the number's events: the same rule as for live events, role first,
 * then numbers.
 */
export function canSeeNumber(c: Colleague, numberId: number, key: PermissionKey): boolean {
  const role = c.role as EffectiveRole;
  const grant = grantOf(role, key, c.switches);
  if (grant === 'none') return false;
  return grant === 'all' || c.number_ids.length === 0 || c.number_ids.includes(numberId);
}
