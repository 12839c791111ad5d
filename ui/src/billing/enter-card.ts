import { billing as contract } from '#contract';
import { api } from '#ui';

interface EnteredCard {
  number: string;
  exp: string;
  cvc: string;
}

/**
 * Sends a card to the payment provider, never to our API, and returns its token. A record of errors
 * by field: the provider refused it.
 */
export async function enterCard(
  companyId: number,
  card: EnteredCard,
): Promise<string | Record<string, string>> {
  const { data } = await api(contract.cardSecurityToken, { query: { company_id: companyId } });
  const answer = await fetch(data.tokens_url, {
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
