import { NoCertificateError, type CertificateAuthority } from '../../gateways/certificates.ts';

/** As long as certificates of public authorities are valid. */
const VALID_DAYS = 90;

/** A simulated authority: there is no certificate. It refuses hosts with the label `refused`. */
export const sandboxCertificates = (): CertificateAuthority => ({
  name: 'sandbox',
  issue(hosts, now) {
    const refused = hosts.find((host) => host.split('.').includes('refused'));
    return refused === undefined
      ? Promise.resolve({ expiresAt: new Date(now.getTime() + VALID_DAYS * 86_400_000) })
      : Promise.reject(new NoCertificateError(`The authority refused ${refused} (simulated).`));
  },
});
