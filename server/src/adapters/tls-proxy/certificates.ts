import { connect } from 'node:tls';
import { NoCertificateError, type CertificateAuthority } from '../../gateways/certificates.ts';

/** A proxy that orders a certificate on demand answers the first connection late. */
const HANDSHAKE_MS = 30_000;

/**
 * Opens a TLS connection to each host, which makes the proxy order its certificate, and checks
 * what it presents.
 * @param port where the proxy listens
 * @param ca trusted instead of the public authorities
 */
export const proxyCertificates = (port = 443, ca?: string): CertificateAuthority => ({
  name: 'tls-proxy',
  async issue(hosts) {
    const expiries = await Promise.all(hosts.map((host) => expiryAt(host, port, ca)));
    return { expiresAt: new Date(Math.min(...expiries.map(Number))) };
  },
});

const expiryAt = (host: string, port: number, ca: string | undefined): Promise<Date> =>
  new Promise((resolve, reject) => {
    const refuse = (reason: string): void => {
      socket.destroy();
      reject(new NoCertificateError(`${host}: ${reason}`));
    };
    const socket = connect({ host, port, servername: host, timeout: HANDSHAKE_MS, ca });
    socket.once('secureConnect', () => {
      const { valid_to } = socket.getPeerCertificate();
      socket.end();
      resolve(new Date(valid_to));
    });
    socket.once('timeout', () => refuse('the proxy didn’t answer in time'));
    socket.once('error', (error) => refuse(error.message));
  });
