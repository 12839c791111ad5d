/**
 * Journeys at somebody else's sign-in, in one installation that knows a provider, a HubSpot and
 * private addresses. One after the other: starting an installation takes as long as any of them.
 */
import './outside-accounts/hubspot.ts';
import './outside-accounts/sign-in-providers.ts';
import './outside-accounts/single-sign-on.ts';
