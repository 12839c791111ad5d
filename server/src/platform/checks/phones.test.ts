import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSelfSignedCertificate } from 'werift';
import { phoneCertificateFindings } from './phones.ts';

const folder = mkdtempSync(join(tmpdir(), 'trunkline-phones-'));
async function files(name: string) {
  const { certPem, keyPem } = await createSelfSignedCertificate({ hash: 4, signature: 3 }, 23);
  const at = { cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) };
  writeFileSync(at.cert, certPem);
  writeFileSync(at.key, keyPem);
  return { ...at, ends: new Date(new X509Certificate(certPem).validTo).getTime() };
}

test('the certificate of SIP phones is read: its last days, its end, a wrong key, no file', async () => {
  const [sipTls, other] = [await files('one'), await files('other')];
  const on = (daysBefore: number, of = sipTls) =>
    phoneCertificateFindings({ sipTls: of }, new Date(sipTls.ends - daysBefore * 86_400_000));
  expect(phoneCertificateFindings({ sipTls: null }, new Date())).toEqual([]);
  expect(on(20.5)).toEqual([{ found: 'The certificate of SIP phones is valid for 20 more days.' }]);
  expect(on(1.5)[0]).toMatchObject({
    found: 'The certificate of SIP phones is valid for 1 more day.',
    fix: expect.stringContaining('Renew it now') as string,
  });
  expect(on(-0.1)[0]).toMatchObject({
    found: expect.stringContaining('has expired') as string,
    fix: expect.stringContaining('restart the media process') as string,
  });
  expect(on(20, { ...sipTls, key: other.key })[0]?.found).toBe(
    'SIP_TLS_KEY isn’t the key of SIP_TLS_CERT.',
  );
  expect(on(20, { ...sipTls, cert: join(folder, 'none.pem') })[0]?.found).toMatch(
    /^SIP_TLS_CERT or SIP_TLS_KEY can’t be read: ENOENT/,
  );
});
