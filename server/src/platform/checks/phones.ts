import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Settings } from '../settings.ts';
import { certificateFinding, problem, reasonOf, type Finding } from './finding.ts';

/** Whether SIP phones accept the certificate that they get by TLS. Nothing where they get none. */
export function phoneCertificateFindings(
  { sipTls }: Pick<Settings, 'sipTls'>,
  now: Date,
): Finding[] {
  if (!sipTls) return [];
  try {
    const certificate = new X509Certificate(readFileSync(sipTls.cert));
    if (!certificate.checkPrivateKey(createPrivateKey(readFileSync(sipTls.key))))
      return [
        problem(
          'SIP_TLS_KEY isn’t the key of SIP_TLS_CERT.',
          'Name the two files that were made together, and restart.',
        ),
      ];
    const ends = new Date(certificate.validTo);
    return [
      ends > now
        ? certificateFinding('The certificate of SIP phones', ends, now)
        : problem(
            'The certificate of SIP phones has expired: those that check it don’t connect.',
            'Renew SIP_TLS_CERT, and restart the media process: it’s read at the start (docs/runbooks.md).',
          ),
    ];
  } catch (error) {
    return [
      problem(
        `SIP_TLS_CERT or SIP_TLS_KEY can’t be read: ${reasonOf(error)}.`,
        'Name PEM files that this user may read.',
      ),
    ];
  }
}
