import type { Exchanges } from '../../src/adapters/sandbox/exchanges.ts';

/** One exchange, known without a database. */
export const onlyExchange = (url: () => string): Exchanges => ({
  running: async () => [{ id: 'only', url: url() }],
  hasRoom: async () => true,
  forCarriers: async () => null,
  urlOf: async () => url(),
});
