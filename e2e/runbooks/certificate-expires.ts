import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { freePort } from '../../server/test/support/free-port.ts';
import { printMetric, type Metric } from '../metric.ts';
import { withProduct } from '../product.ts';
import { operatorRuns, seen } from './kit.ts';

const secret = { APP_SECRET: '6'.repeat(64) };

/**
 * "Certificate expires": a proxy whose certificate ends in three days, has ended, and is renewed.
 * `npm run doctor` says each.
 */
export async function certificateExpires(): Promise<Metric[]> {
  if (spawnSync('openssl', ['version']).status !== 0)
    return [printMetric('certificate', 'openssl is missing', 'is named', 'skipped')];
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-certificate-'));
  const [port, upstream] = [await freePort(), await freePort()];
  const settings = { ...secret, PUBLIC_URL: `https://localhost:${port}`, DEMO: '0' };
  const env = { ...settings, PORT: String(upstream) };
  try {
    makeAuthority(folder);
    return await withProduct(env, async (_, dataDir) => {
      const proxy = createServer(certificate(folder, 3));
      passOn(proxy, upstream);
      await new Promise<void>((resolve) => proxy.listen(port, resolve));
      const doctor = () =>
        operatorRuns(
          { ...env, DATA_DIR: dataDir, NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') },
          'doctor',
        );
      const soon = await doctor();
      proxy.setSecureContext(certificate(folder, -1));
      const expired = await doctor();
      proxy.setSecureContext(certificate(folder, 90));
      const renewed = await doctor();
      proxy.close();
      return [
        seen('certificate: its last days are named', /valid for [23] more days/.test(soon), soon),
        seen('certificate: with what to do', /Renew it now/.test(soon), soon),
        seen('certificate: its end is named', /Renew the certificate/.test(expired), expired),
        seen(
          'certificate: a new one is seen',
          /valid for (89|90) more days/.test(renewed),
          renewed,
        ),
      ];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function openssl(folder: string, ...args: string[]): void {
  const { status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl ${args[0]}: ${stderr}`);
}

function makeAuthority(folder: string): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const authority = ['-keyout', 'authority.key', '-out', 'authority.pem', '-subj', '/CN=Tests'];
  openssl(folder, 'req', '-x509', ...key, ...authority, '-days', '100');
  openssl(folder, 'req', ...key, '-keyout', 'key.pem', '-out', 'request', '-subj', '/CN=localhost');
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost');
}

/** One for localhost that is valid for so many days from now. */
function certificate(folder: string, days: number): { key: Buffer; cert: Buffer } {
  const by = ['-CA', 'authority.pem', '-CAkey', 'authority.key', '-CAcreateserial'];
  const file = `certificate-${days}.pem`;
  const valid = ['-days', String(days), '-extfile', 'names', '-out', file];
  openssl(folder, 'x509', '-req', '-in', 'request', ...by, ...valid);
  return { key: readFileSync(join(folder, 'key.pem')), cert: readFileSync(join(folder, file)) };
}

/** The certificate of SIP phones, which expired, and is renewed with a restart. */
export async function phoneCertificateExpires(): Promise<Metric[]> {
  if (spawnSync('openssl', ['version']).status !== 0)
    return [printMetric('phones', 'openssl is missing', 'is named', 'skipped')];
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-certificate-'));
  const file = join(folder, 'phones.pem');
  const sipPort = await freePort();
  const tls = { SIP_TLS_CERT: file, SIP_TLS_KEY: join(folder, 'key.pem') };
  const env = { ...secret, ...tls, SIP_PORT: String(sipPort), DEMO: '0' };
  const renew = (days: number) => {
    certificate(folder, days);
    copyFileSync(join(folder, `certificate-${days}.pem`), file);
  };
  /** What a phone that checks certificates gets: null, or why it goes. */
  const phone = () =>
    new Promise<string | null>((resolve) => {
      const ca = readFileSync(join(folder, 'authority.pem'));
      const socket = connect({ host: 'localhost', port: sipPort, ca }, () => {
        socket.destroy();
        resolve(null);
      });
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
  try {
    makeAuthority(folder);
    renew(-1);
    const { doctor, refused } = await withProduct(env, async (_, dataDir) => ({
      doctor: await operatorRuns({ ...env, DATA_DIR: dataDir }, 'doctor'),
      refused: await phone(),
    }));
    renew(90);
    const accepted = await withProduct(env, phone);
    return [
      seen(
        'phones: an expired certificate is named',
        /has expired: those that/.test(doctor),
        doctor,
      ),
      seen('phones: a phone doesn’t connect', refused === 'CERT_HAS_EXPIRED', String(refused)),
      seen('phones: it does after a restart with a new one', accepted === null, String(accepted)),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a proxy does, but for websockets. */
function passOn(proxy: Server, port: number): void {
  proxy.on('request', (request, response) => {
    const { method, headers, url: path } = request;
    const onward = plainRequest({ host: '127.0.0.1', port, method, headers, path }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
}
