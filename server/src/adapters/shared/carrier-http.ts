import { CircuitBreaker } from '../../platform/circuit-breaker.ts';
import {
  createHttpClient,
  jsonApiAvailability,
  type HttpClient,
} from '../../platform/http-client/http-client.ts';
import type { Log } from '../../platform/log.ts';

/** HTTP clients for one carrier's API. */
interface CarrierHttp {
  /** For everything but calls. */
  api: HttpClient;
  /** For calls: paused while the carrier does not respond. */
  callApi: HttpClient;
  /** Opens while the carrier does not respond for calls. */
  voiceBreaker: CircuitBreaker;
  close(): Promise<void>;
}

/**
 * @param label the carrier's name in logs: "Twilio"
 * @param target its name in metrics: "twilio"
 * @param totalMs for one request in all; left out: the client's default
 */
export function openCarrierHttp(
  label: string,
  target: string,
  { totalMs, log, now }: { totalMs: number | undefined; log: Log; now: () => Date },
): CarrierHttp {
  const voiceBreaker = new CircuitBreaker(label, now, (state, detail) =>
    log.warn(
      detail,
      state === 'open'
        ? `${label} is not responding for calls; pausing requests for a while`
        : `${label} is responding for calls again`,
    ),
  );
  const options = { target, now, ...(totalMs && { totalMs }) };
  const api = createHttpClient(options);
  const circuit = { breaker: voiceBreaker, availability: jsonApiAvailability(now) };
  const callApi = createHttpClient({ ...options, circuit });
  return {
    api,
    callApi,
    voiceBreaker,
    close: async () => {
      await Promise.all([api.close(), callApi.close()]);
    },
  };
}
