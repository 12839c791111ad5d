import { request as plainRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { sign } from '../secrets.ts';
import type { Settings } from '../settings.ts';
import { certificateFinding, ok, problem, reasonOf, type Finding } from './finding.ts';

const timeoutMs = 8_000;

/** Tells installations apart at `/livez`; says nothing of the secret it is made of. */
export const installationMark = (appSecret: Buffer): string =>
  sign(appSecret, 'installation').slice(0, 16);

interface Reply {
  status: number;
  body: string;
  /** When the certificate ends; null: no TLS. */
  certificateEnds: Date | null;
}

/** Asks our public address from outside of the process, as a browser does. */
function ask(url: URL, headers: Record<string, string> = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const isTls = url.protocol === 'https:';
    const options: RequestOptions = { headers, agent: false, timeout: timeoutMs };
    const request = (isTls ? tlsRequest : plainRequest)(url, options);
    const read = (response: IncomingMessage, body: string): Reply => {
      const certificate = isTls ? (response.socket as TLSSocket).getPeerCertificate() : null;
      return {
        status: response.statusCode ?? 0,
        body,
        certificateEnds: certificate?.valid_to ? new Date(certificate.valid_to) : null,
      };
    };
    request.once('response', (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
        if (body.length > 10_000) response.destroy(new Error('the answer is too long'));
      });
      response.once('end', () => resolve(read(response, body)));
      response.once('error', reject);
    });
    request.once('upgrade', (response, socket) => {
      const reply = read(response, '');
      socket.destroy();
      resolve(reply);
    });
    request.once('timeout', () => request.destroy(new Error('no answer within 8 seconds')));
    request.once('error', reject);
    request.end();
  });
}

/** Whether our public address leads here, by a certificate that browsers accept, sockets included. */
export async function addressFindings({
  publicUrl,
  appSecret,
  production,
}: Pick<Settings, 'publicUrl' | 'appSecret' | 'production'>): Promise<Finding[]> {
  const origin = new URL(publicUrl);
  const insecure =
    production && origin.protocol !== 'https:'
      ? [
          problem(
            `PUBLIC_URL is ${publicUrl}, without TLS. Browsers give the microphone to https pages only.`,
            'Put a proxy with a certificate in front (docs/proxy.md) and set PUBLIC_URL to its https address.',
          ),
        ]
      : [];
  let reply: Reply;
  try {
    reply = await ask(new URL('/livez', origin));
  } catch (error) {
    return [...insecure, unreachable(publicUrl, error)];
  }
  const mark = markIn(reply.body);
  if (mark !== installationMark(appSecret))
    return [
      ...insecure,
      mark === null
        ? problem(
            `${publicUrl} answers with ${reply.status}, but not as Trunkline.`,
            'Point the proxy at this server’s HOST and PORT (docs/proxy.md).',
          )
        : problem(
            `${publicUrl} leads to another Trunkline.`,
            'Change the domain’s DNS record, or the proxy, to this server.',
          ),
    ];
  return [
    ...insecure,
    ok(`${publicUrl} leads to this server.`),
    ...(reply.certificateEnds
      ? [certificateFinding('The certificate', reply.certificateEnds, new Date())]
      : []),
    await socketFinding(origin),
  ];
}

function markIn(body: string): string | null {
  try {
    const { installation } = JSON.parse(body) as { installation?: unknown };
    return typeof installation === 'string' ? installation : null;
  } catch {
    return null;
  }
}

/** What each failure of a connection means, by its code. */
const failures: Readonly<Record<string, string>> = {
  ENOTFOUND: 'Add a DNS record for the domain that names this server’s address.',
  EAI_AGAIN: 'Check this server’s DNS: it can’t resolve names now.',
  ECONNREFUSED: 'Start the proxy, and open ports 80 and 443 in the firewall.',
  CERT_HAS_EXPIRED: 'Renew the certificate (docs/runbooks.md).',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'Use a certificate that browsers trust, such as one of Let’s Encrypt.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Use a certificate that browsers trust, such as one of Let’s Encrypt.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Give the proxy the whole chain of certificates.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Get a certificate for this domain.',
};

function unreachable(publicUrl: string, error: unknown): Finding {
  const { code = '' } = error as { code?: string };
  return problem(
    `${publicUrl} can’t be reached from this server: ${reasonOf(error)}.`,
    failures[code] ??
      'Check the domain, the proxy and the firewall. If only this server can’t reach its public address, its router may not lead back.',
  );
}

/** Whether a live connection passes whatever is in front. */
async function socketFinding(origin: URL): Promise<Finding> {
  const fix =
    'Let the proxy pass the headers Upgrade and Connection on (docs/proxy.md). Until then screens follow with a delay.';
  try {
    const { status } = await ask(new URL('/socket.io/?EIO=4&transport=websocket', origin), {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.from('trunkline-setup!').toString('base64'),
    });
    return status === 101
      ? ok('Live connections (websockets) pass.')
      : problem(`Live connections don’t pass: the answer was ${status} instead of 101.`, fix);
  } catch (error) {
    return problem(`Live connections don’t pass: ${reasonOf(error)}.`, fix);
  }
}

/** How a request arrived, as the server sees it. */
interface Arrival {
  /** Whom the server believes it came from. */
  ip: string;
  /** The other end of the connection: a proxy, or the visitor. */
  peer: string;
  host: string | undefined;
  forwardedFor: string | undefined;
  /** Origin that the visitor's browser shows; null: not said. */
  opened: string | null;
}

/** Whether what is in front of the server tells it who is asking, and for which address. */
export function forwardingFindings(
  { publicUrl, trustProxy }: Pick<Settings, 'publicUrl' | 'trustProxy'>,
  { ip, peer, host, forwardedFor, opened }: Arrival,
): Finding[] {
  const own = new URL(publicUrl);
  const findings: Finding[] = [];
  if (opened !== null && opened !== own.origin)
    findings.push(
      problem(
        `You opened ${opened}, but PUBLIC_URL is ${own.origin}, where links in emails lead.`,
        'Set PUBLIC_URL to the address people open, and open that one.',
      ),
    );
  else if (host !== own.host)
    findings.push(
      problem(
        `The proxy asks for ${host ?? 'no host'} instead of ${own.host}.`,
        'Let the proxy pass the header Host on (docs/proxy.md).',
      ),
    );
  if (forwardedFor === undefined)
    findings.push(
      own.protocol === 'https:'
        ? problem(
            `Whatever ends TLS in front of this server doesn’t say who is asking, so everyone has the address ${peer}.`,
            'Let the proxy send X-Forwarded-For (docs/proxy.md).',
          )
        : ok('There is no proxy in front of this server.'),
    );
  else if (ip === peer)
    findings.push(
      problem(
        `The proxy at ${peer} isn’t trusted${trustProxy.length ? ` (TRUST_PROXY is ${trustProxy.join(', ')})` : ''}, so everyone has its address and one person’s wrong passwords lock everyone out.`,
        `Set TRUST_PROXY=${/^(127\.|::1$|::ffff:127\.)/.test(peer) ? 'loopback' : peer} and restart.`,
      ),
    );
  else findings.push(ok(`The proxy says who is asking: your address is ${ip}.`));
  return findings;
}
