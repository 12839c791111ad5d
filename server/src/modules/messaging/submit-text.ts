import type { Gateways } from '../../gateways/index.ts';
import { CarrierNotConnectedError } from '../../gateways/carrier.ts';
import type { OutgoingText, SendResult } from '../../gateways/messaging.ts';

/** A response that takes longer is lost. */
const responseTimeoutMs = 10_000;

/** A text and the name of the carrier it goes through. */
interface Submission {
  carrier: string;
  text: OutgoingText;
}

/**
 * Submits a text to its carrier, once. Never rejects: an error after the request is a lost response
 * (`unknown`), because the carrier may have taken the text. `onLateAcceptance`: the carrier accepted
 * it after its response had been given up.
 */
export function submitText(
  gateways: Gateways,
  { carrier, text }: Submission,
  onLateAcceptance: (result: SendResult) => void,
): Promise<SendResult> {
  return new Promise((resolve) => {
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      resolve({
        state: 'unknown',
        reason: `No response for ${responseTimeoutMs / 1000} seconds.`,
      });
    }, responseTimeoutMs);
    const responded = (result: SendResult): void => {
      clearTimeout(timer);
      if (!timedOut) resolve(result);
      else if (result.state === 'accepted') onLateAcceptance(result);
    };
    const failed = (error: unknown): void => responded(resultOfError(error));
    try {
      gateways.carriers.messaging(carrier).send(text).then(responded, failed);
    } catch (error) {
      failed(error);
    }
  });
}

/**
 * A carrier that isn't connected was never asked; any other error may have followed its acceptance.
 */
const resultOfError = (error: unknown): SendResult =>
  error instanceof CarrierNotConnectedError
    ? { state: 'refused', code: 'carrier_away', reason: error.message, permanent: false }
    : { state: 'unknown', reason: String(error) };

/** The carrier certainly has nothing of the text, and may take it later. */
export const isRetryable = (
  result: SendResult,
): result is Extract<SendResult, { state: 'refused' }> =>
  result.state === 'refused' && !result.permanent;
