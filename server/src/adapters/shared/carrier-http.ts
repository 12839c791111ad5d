import { CircuitBreaker } from '../../platform/circuit-breaker.ts';
import {
  createHttpClient,
  jsonApiAvailability,
  type HttpClient,
} from '../../platform/http-client/http-client.ts';
import type { HttpClientOptions } from '../../platform/http-client/types.ts';
import type { Log } from '../../platform/log.ts';

/** For one request in all, milliseconds. */
const usualPatienceMs = 15_000;

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
 * @param limits `patienceMs`: for one request in all, milliseconds; read at each
 */
export function openCarrierHttp(
  label: string,
  target: string,
  { limits, log, now }: { limits: { patienceMs?: number }; log: Log; now: () => Date },
): CarrierHttp {
  const voiceBreaker = new CircuitBreaker(label, now, (state, detail) =>
    log.warn(
      detail,
      state === 'open'
        ? `${label} is not responding for calls; pausing requests for a while`
        : `${label} is responding for calls again`,
    ),
  );
  const open = (more: Pick<HttpClientOptions, 'circuit'> = {}) =>
    createHttpClient({
      target,
      now,
      ...more,
      get totalMs() {
        return limits.patienceMs ?? usualPatienceMs;
      },
    });
  const api = open();
  const circuit = { breaker: voiceBreaker, availability: jsonApiAvailability(now) };
  const callApi = open({ circuit });
  return {
    api,
    callApi,
    voiceBreaker,
    close: async () => {
      await Promise.all([api.close(), callApi.close()]);
    },
  };
}
