import { billing as contract } from '#contract';
import { cardPages } from '#contract/billing/rules';
import { api, currentLocation } from '#ui';

interface EnteredCard {
  number: string;
  exp: string;
  cvc: string;
}

/** What a card of the company is entered with: a token for our form, or a page of the provider. */
const cardEntry = (companyId: number) =>
  api(contract.cardSecurityToken, {
    query: {
      company_id: companyId,
      return_to: cardPages.find((page) => page === currentLocation().pathname),
    },
  });

/** Leaves for the provider's page, which leads back here with the card's token. Throws ApiError. */
export async function leaveForCardPage(companyId: number): Promise<void> {
  const { data } = await cardEntry(companyId);
  if (data.page_url) window.location.assign(data.page_url);
}

/**
 * Sends a card to the payment provider, never to our API, and returns its token. A record of errors
 * by field: the provider refused it.
 */
export async function enterCard(
  companyId: number,
  card: EnteredCard,
): Promise<string | Record<string, string>> {
  const { data } = await cardEntry(companyId);
  const answer = await fetch(data.tokens_url ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ security_token: data.token, ...card }),
  });
  const body: unknown = await answer.json();
  const { data: made, errors } = body as {
    data?: { token: string };
    errors?: Record<string, string[]>;
  };
  if (answer.ok && made) return made.token;
  return Object.fromEntries(
    Object.entries(errors ?? {}).map(([field, sentences]) => [field, sentences.join(' ')]),
  );
}
