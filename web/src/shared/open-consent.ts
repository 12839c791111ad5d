import { connections } from '#contract';
import { api } from '#ui';

/** Opens the provider's consent page; false: it couldn't be asked, and the person has read why. */
export async function openConsent(companyId: number, provider: string): Promise<boolean> {
  const params = { companyId, provider };
  // A failure is shown by the request layer.
  const response = await api(connections.redirectToOAuthProvider, { params }).catch(() => null);
  if (response) window.location.assign(response.data.url);
  return response !== null;
}
