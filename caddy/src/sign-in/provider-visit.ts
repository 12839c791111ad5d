import { caddy, type Answer } from '#contract';
import { api } from '#ui';
import { quietly, type SignInMode } from './use-code-sign-in.ts';

type Provider = Answer<typeof caddy.listCaddyProviders>['data'][number];

/** A sign-in that went to a provider from this tab. */
export interface Visit extends Provider {
  mode: SignInMode;
  /** The query of the page it began on: where to go next, and who invited. */
  search: string;
  state: string;
}
const keptUnder = 'caddy.visit';

/** Leaves for a provider's page, which sends the browser back. @throws ApiError */
export async function visitProvider(provider: Provider, mode: SignInMode): Promise<void> {
  const { data } = await api(
    caddy.startCaddyProvider,
    { params: { provider: provider.provider } },
    quietly,
  );
  const { pathname, search, origin } = window.location;
  // Providers send people to one address of this server; what a tab keeps is of the address it is at.
  const home = new URL(new URL(data.url).searchParams.get('redirect_uri') ?? origin).origin;
  if (home !== origin) return window.location.assign(`${home}${pathname}${search}`);
  const visit: Visit = { ...provider, mode, search, state: data.state };
  sessionStorage.setItem(keptUnder, JSON.stringify(visit));
  return window.location.assign(data.url);
}

/** What a provider sent back. */
interface Arrival {
  /** Null: this tab asked for nothing, or for something else. */
  visit: Visit | null;
  idToken: string | null;
  isCanceled: boolean;
}

const canceled = ['access_denied', 'user_cancelled_authorize'];

/** Reads what stands behind the `#`. */
export function readArrival(): Arrival {
  const back = new URLSearchParams(window.location.hash.slice(1));
  const kept = JSON.parse(sessionStorage.getItem(keptUnder) ?? 'null') as Visit | null;
  return {
    visit: kept && kept.state === back.get('state') ? kept : null,
    idToken: back.get('id_token'),
    isCanceled: canceled.includes(back.get('error') ?? ''),
  };
}

/** Takes the token out of the address bar and the history, and ends the visit. */
export function forgetArrival({ visit }: Arrival): void {
  sessionStorage.removeItem(keptUnder);
  history.replaceState(null, '', `${window.location.pathname}${visit?.search ?? ''}`);
}
