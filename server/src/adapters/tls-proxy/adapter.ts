import type { Adapter } from '../adapter.ts';

/**
 * The operator's reverse proxy, which terminates TLS and gets certificates on demand. It asks
 * `GET /api/tls-allowed` which hosts it may serve.
 */
export const tlsProxy: Adapter = {
  name: 'tls-proxy',
  gateways: { certificates: async () => (await import('./certificates.ts')).proxyCertificates() },
};
