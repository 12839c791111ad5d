import type { LogSinks } from '../../gateways/log-sinks.ts';

/**
 * Simulated receivers: nothing leaves this machine. They take everything, except at an address that
 * names a status: `https://logs.example/status/503` answers with it.
 */
export const sandboxSinks: LogSinks = {
  name: 'sandbox',
  post: async (url) => answer(url),
  put: async ({ bucket }) => answer(bucket),
};

function answer(place: string): { ok: true } | { ok: false; error: string } {
  const status = /status[/-](\d{3})/.exec(place)?.[1];
  return status && !status.startsWith('2')
    ? { ok: false, error: `The receiver answered with status ${status}.` }
    : { ok: true };
}
