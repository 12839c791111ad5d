import type { Desk } from './desk.ts';

/** Calls of the account, in Bandwidth's voice API. */
export const calls = (desk: Desk): string =>
  `/accounts/${encodeURIComponent(desk.settings.accountId)}/calls`;

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
export async function stateOfCall(desk: Desk, ref: string): Promise<CallState | null> {
  const { status, body } = await desk.api.ask(
    'voice',
    'GET',
    `${calls(desk)}/${encodeURIComponent(ref)}`,
  );
  if (status === 404) return null;
  if (status >= 300) throw new Error(`Bandwidth answered ${status} for a call.`);
  const seen = JSON.parse(body.toString('utf8')) as CallState | null;
  // A call is never ended, or kept, on a hunch.
  if (typeof seen?.state !== 'string')
    throw new Error('Bandwidth answered something that is no call.');
  return seen;
}
