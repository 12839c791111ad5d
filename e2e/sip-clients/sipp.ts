import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Metric } from '../metric.ts';
import { answeringNumber, password, realm, waitUntil, type TestSipServer } from './exchange.ts';

export const sippPath = '/usr/bin/sipp';

/**
 * Register, be challenged, register with a password; then call, hear ringing and the answer, and
 * hang up.
 */
function scenario(number: string): string {
  const head = (
    method: string,
    uri: string,
    seq: number,
    to: string,
    more: string,
    again = ' retrans="500"',
  ): string => `<send${again}><![CDATA[
${method} ${uri} SIP/2.0
Via: SIP/2.0/UDP [local_ip]:[local_port];branch=[branch]
From: <sip:[field0]@${realm}>;tag=[call_number]
To: ${to}
Call-ID: [call_id]
CSeq: ${seq} ${method}
Contact: <sip:[field0]@[local_ip]:[local_port]>
Max-Forwards: 70
${more}]]></send>`;
  const sdp =
    'Content-Type: application/sdp\nContent-Length: [len]\n\nv=0\no=- 1 1 IN IP4 [local_ip]\ns=-\nc=IN IP4 [local_ip]\nt=0 0\nm=audio 17000 RTP/AVP 0\n';
  const [register, invite] = [`sip:${realm}`, `sip:${number}@${realm}`];
  const [me, them] = [`<sip:[field0]@${realm}>`, `<${invite}>`];
  const none = 'Content-Length: 0\n\n';
  // On a busy machine, UDP requests and their responses are retransmitted.
  const again401 = '<recv response="401" optional="true"/>';
  return `<?xml version="1.0" encoding="ISO-8859-1" ?><scenario name="phone">
${head('REGISTER', register, 1, me, `Expires: 60\n${none}`)}<recv response="401" auth="true"/>
${head('REGISTER', register, 2, me, `[field1]\nExpires: 60\n${none}`)}${again401}<recv response="200"/>
${head('INVITE', invite, 3, them, sdp)}<recv response="100" optional="true"/><recv response="401" auth="true"/>
${head('ACK', invite, 3, `${them}[peer_tag_param]`, none, '')}
${head('INVITE', invite, 4, them, `[field1]\n${sdp}`)}${again401}<recv response="100" optional="true"/><recv response="180"/><recv response="200"/>
${head('ACK', invite, 4, `${them}[peer_tag_param]`, none, '')}<pause milliseconds="300"/>
${head('BYE', invite, 5, `${them}[peer_tag_param]`, none)}<recv response="200"/></scenario>`;
}

function sipp(
  port: number,
  number: string,
  count: number,
  secret: string,
): Promise<{ code: number | null; complaints: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'sipp-'));
  writeFileSync(join(folder, 'phone.xml'), scenario(number));
  writeFileSync(
    join(folder, 'users.csv'),
    [
      'SEQUENTIAL',
      ...Array.from(
        { length: count },
        (_, n) => `u${1000 + n};[authentication username=u${1000 + n} password=${secret}]`,
      ),
      '',
    ].join('\n'),
  );
  return new Promise((resolve) => {
    const run = spawn(
      sippPath,
      [
        `127.0.0.1:${port}`,
        '-sf',
        'phone.xml',
        '-inf',
        'users.csv',
        '-m',
        String(count),
        '-r',
        '10',
        '-i',
        '127.0.0.1',
        '-nostdin',
        '-timeout',
        `${60 + count}s`,
        '-timeout_error',
        '-recv_timeout',
        '10000',
        '-trace_err',
      ],
      { cwd: folder, stdio: 'ignore' },
    );
    run.on('close', (code) =>
      resolve({
        code,
        complaints: readdirSync(folder)
          .filter((name) => name.endsWith('_errors.log'))
          .map((name) => readFileSync(join(folder, name), 'utf8'))
          .join('\n'),
      }),
    );
  });
}

/** This many phones of sipp call at ten a second; one has a wrong password. */
export async function checkSipp(
  { exchange, port }: TestSipServer,
  size: number,
): Promise<Metric[]> {
  const live = (): number =>
    [...exchange.exchange.legs.values()].filter(({ state }) => state !== 'ended').length;
  const { code, complaints } = await sipp(port, answeringNumber, size, password);
  const ended = await waitUntil(() => live() === 0);
  const refused = await sipp(port, answeringNumber, 1, 'wrong');
  return [
    {
      id: `sipp: ${size} phones register, call, hear 180 and 200, hang up`,
      value: code === 0 ? '0 failed' : complaints.slice(0, 200),
      target: '0 failed',
      pass: code === 0,
    },
    { id: 'sipp: calls left over', value: String(live()), target: '0', pass: ended },
    {
      id: 'sipp: a wrong password',
      value: refused.code === 0 ? 'let in' : 'refused',
      target: 'refused',
      pass: refused.code !== 0,
    },
  ];
}
