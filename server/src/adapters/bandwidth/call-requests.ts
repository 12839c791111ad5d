import type { BandwidthClient } from './client.ts';

/** The path of the account's calls in Bandwidth's voice API. */
export const callsPath = (client: BandwidthClient): string =>
  `/accounts/${encodeURIComponent(client.settings.accountId)}/calls`;

/** What we use of the SDK's `CallState`. */
export interface CallState {
  callId: string;
  state: string;
  from?: string;
  to?: string;
  enqueuedTime?: string | null;
  startTime?: string | null;
  answerTime?: string | null;
  disconnectCause?: string | null;
}

/** A call at Bandwidth; null when there is none. Throws when the response cannot be read. */
export async function fetchCallState(
  client: BandwidthClient,
  ref: string,
): Promise<CallState | null> {
  const { status, body } = await client.api.request(
    'voice',
    'GET',
    `${callsPath(client)}/${encodeURIComponent(ref)}`,
  );
  if (status === 404) return null;
  if (status >= 300) throw new Error(`Bandwidth answered ${status} for a call.`);
  const call = JSON.parse(body.toString('utf8')) as CallState | null;
  // A malformed response must not decide whether a call has ended.
  if (typeof call?.state !== 'string') throw new Error('Bandwidth’s response is not a call.');
  return call;
}
