import type { Adapter } from '../adapter.ts';

/** Public web pages. */
export const publicPages: Adapter = {
  name: 'pages',
  gateways: { pages: async () => (await import('./read-page.ts')).publicPageReader() },
};
