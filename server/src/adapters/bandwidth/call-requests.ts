import type { BandwidthClient } from './client.ts';

/** Calls of the account, in Bandwidth's voice API. */
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

/** A call as Bandwidth sees it; null when it knows of none. */
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
  const seen = JSON.parse(body.toString('utf8')) as CallState | null;
  // A call is never ended, or kept, on a hunch.
  if (typeof seen?.state !== 'string') throw new Error('Bandwidth’s response isn’t a call.');
  return seen;
}
