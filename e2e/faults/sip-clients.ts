/**
 * Third-party SIP clients at our exchange: baresip over UDP, TCP and TLS, and sipp with many calls.
 * Both are Debian packages (`baresip`, `sip-tester`); a missing one is reported as skipped.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSelfSignedCertificate } from 'werift';
import { loudnessAt } from '../../server/src/platform/audio/loudness.ts';
import { resample } from '../../server/src/platform/audio/resample.ts';
import { writeWav } from '../../server/src/platform/audio/wav.ts';
import { startTestExchange } from '../../server/test/support/exchange-harness.ts';
import { StreamDecoder } from '../../server/src/exchange/opus.ts';
import { ha1Of } from '../../server/src/exchange/sip/digest.ts';
import { tone } from '../../server/src/exchange/tones.ts';
import { freePort } from '../../server/test/support/free-port.ts';
import type { Metric, FaultOptions } from '../metric.ts';

const realm = 'phones.test';
const password = 'correct-horse';
const [baresipPath, sippPath] = ['/usr/bin/baresip', '/usr/bin/sipp'];
/** Numbers that are busy, and that answer; all others ring. */
const [busyNumber, answeringNumber] = ['2125550186', '2125550149'];
const patienceMs = 15_000;

async function startSipExchange() {
  const { certPem, keyPem } = await createSelfSignedCertificate({ hash: 4, signature: 3 }, 23);
  const asked: string[] = [];
  let calls = 0;
  const exchange: Awaited<ReturnType<typeof startTestExchange>> = await startTestExchange({
    maxCalls: 200,
    sip: {
      port: 0,
      host: '127.0.0.1',
      realm,
      tls: { cert: certPem, key: keyPem },
      onPresence: () => Promise.resolve(),
      findUser: (user) =>
        Promise.resolve(
          /^u\d+$/.test(user)
            ? { userId: Number(user.slice(1)), companies: [1], ha1: ha1Of(user, realm, password) }
            : null,
        ),
      hold: (_who, _leg, on) => Promise.resolve(asked.push(on ? 'hold' : 'resume')),
      transfer: (_who, _leg, to) => Promise.resolve(asked.push(`transfer ${to}`)).then(() => null),
      placeCall: async ({ to, device, userId }) => {
        const leg = `placed-${++calls}`;
        await exchange.perform({
          do: 'createLeg',
          leg,
          to: { kind: 'app', userId, companyId: 1, device },
          callerId: '+14155552368',
          timeoutSeconds: 30,
          onBehalfOf: null,
        });
        // The user's own phone has joined: now the other side is called.
        void exchange.told('legAnswered', leg).then(
          async () => {
            if (to === answeringNumber)
              await exchange.perform({
                do: 'play',
                leg,
                prompts: [{ kind: 'say', text: 'A'.repeat(200) }],
              });
            if (to === busyNumber) await exchange.perform({ do: 'hangup', leg, because: 'busy' });
          },
          () => undefined,
        );
        return { leg };
      },
    },
  });
  return { exchange, asked, port: exchange.sipPort ?? 0, placed: () => `placed-${calls}` };
}
type TestSipServer = Awaited<ReturnType<typeof startSipExchange>>;

/** True once the condition holds, false at the timeout. */
async function waitUntil(what: () => boolean): Promise<boolean> {
  for (
    const until = Date.now() + patienceMs;
    Date.now() < until;
    await new Promise((resolve) => setTimeout(resolve, 25))
  )
    if (what()) return true;
  return false;
}

// ---- baresip ----

interface Phone {
  /** Events so far, as `TYPE detail`. */
  events: string[];
  command(command: string, params?: string): void;
  stop(): Promise<void>;
}
async function baresip(
  port: number,
  user: string,
  transport: 'udp' | 'tcp' | 'tls',
): Promise<Phone> {
  const folder = mkdtempSync(join(tmpdir(), 'baresip-'));
  const control = await freePort();
  const modules = ['g711', 'aufile', 'aubridge', 'account', 'menu', 'ctrl_tcp'];
  writeFileSync(
    join(folder, 'config'),
    [
      'module_path /usr/lib/baresip/modules',
      ...modules.slice(0, 3).map((name) => `module ${name}.so`),
      ...modules.slice(3).map((name) => `module_app ${name}.so`),
      `ctrl_tcp_listen 127.0.0.1:${control}`,
      `audio_source aufile,${join(folder, 'tone.wav')}`,
      'audio_player aubridge,out',
      'audio_alert aubridge,alert',
      'sip_listen 127.0.0.1:0',
      'net_interface 127.0.0.1',
      'call_max_calls 4',
      '',
    ].join('\n'),
  );
  writeFileSync(
    join(folder, 'accounts'),
    `<sip:${user}@${realm};transport=${transport}>;auth_pass=${password};outbound="sip:127.0.0.1:${port};transport=${transport}";regint=60;answermode=auto;audio_codecs=PCMU/8000/1\n`,
  );
  writeFileSync(join(folder, 'contacts'), '');
  writeFileSync(
    join(folder, 'tone.wav'),
    writeWav({ sampleRate: 8000, channels: [resample(tone([440], 60_000, 0.5), 16_000, 8000)] }),
  );
  const child: ChildProcess = spawn(baresipPath, ['-4', '-f', folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.resume();
  const gone = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const events: string[] = [];
  const socket = await new Promise<ReturnType<typeof connect>>((resolve, reject) => {
    const until = Date.now() + patienceMs;
    const attempt = (): void => {
      const one = connect(control, '127.0.0.1', () => resolve(one));
      one.on('error', (trouble) =>
        Date.now() > until ? reject(trouble) : setTimeout(attempt, 100),
      );
    };
    attempt();
  });
  let kept = '';
  // Netstrings of JSON: `12:{"event":…},`
  socket.on('data', (chunk) => {
    kept += chunk.toString();
    for (
      let found = /^(\d+):/.exec(kept);
      found && kept.length >= found[0].length + Number(found[1]) + 1;
      found = /^(\d+):/.exec(kept)
    ) {
      const end = found[0].length + Number(found[1]);
      const told = JSON.parse(kept.slice(found[0].length, end)) as {
        event?: boolean;
        type?: string;
        param?: string;
      };
      kept = kept.slice(end + 1);
      if (told.event) events.push(`${told.type ?? ''} ${told.param ?? ''}`);
    }
  });
  return {
    events,
    command(command, params = '') {
      const text = JSON.stringify({ command, params });
      socket.write(`${Buffer.byteLength(text)}:${text},`);
    },
    async stop() {
      socket.destroy();
      child.kill('SIGTERM');
      const hard = setTimeout(() => child.kill('SIGKILL'), 5000);
      await gone;
      clearTimeout(hard);
    },
  };
}

async function withBaresip(
  { exchange, asked, port, placed }: TestSipServer,
  transport: 'udp' | 'tcp' | 'tls',
  user: string,
  n: number,
): Promise<Metric[]> {
  const figures: Metric[] = [];
  const say = (id: string, target: string, pass: boolean, figure = pass ? target : 'no'): void =>
    void figures.push({ id: `baresip ${transport}: ${id}`, value: figure, target, pass });
  const phone = await baresip(port, user, transport);
  try {
    say(
      'registers',
      '200',
      await waitUntil(() =>
        [...exchange.exchange.devices.all()].some(
          ({ identity }) => identity.kind === 'app' && identity.identity === user,
        ),
      ),
    );
    const leg = `rung-${n}`;
    await exchange.perform({
      do: 'createLeg',
      leg,
      to: { kind: 'app', userId: Number(user.slice(1)), companyId: 1 },
      callerId: '+12125550147',
      timeoutSeconds: 30,
      onBehalfOf: null,
    });
    say(
      'is rung and answers',
      'answered',
      await waitUntil(() => exchange.exchange.legs.get(leg)?.state === 'answered'),
    );
    const ear = new StreamDecoder();
    let loudness = 0;
    exchange.exchange.legs
      .get(leg)
      ?.listeners.add(
        ({ pcm, opus }) => void (loudness = loudnessAt(pcm ?? ear.decode(opus), 440, 16_000)),
      );
    say(
      'its 440 Hz tone is heard',
      '> 0.05',
      await waitUntil(() => loudness > 0.05),
      loudness.toFixed(2),
    );
    asked.length = 0;
    phone.command('hold');
    const held = await waitUntil(() => asked.includes('hold'));
    phone.command('resume');
    say(
      'hold and resume reach the product',
      'hold, resume',
      held && (await waitUntil(() => asked.includes('resume'))),
      asked.join(', '),
    );
    phone.command('transfer', '2125550199');
    say(
      'its transfer key reaches the product',
      'transfer',
      await waitUntil(() => asked.some((one) => one.startsWith('transfer'))),
      asked.at(-1) ?? '',
    );
    await exchange.perform({ do: 'hangup', leg });
    say(
      'hears our hang-up',
      'closed',
      await waitUntil(() => phone.events.some((event) => event.startsWith('CALL_CLOSED'))),
    );

    phone.events.length = 0;
    phone.command('dial', `sip:2125550148@${realm}`);
    const ringing = await waitUntil(() =>
      phone.events.some((event) => event.startsWith('CALL_RINGING')),
    );
    const early = phone.events.some((event) => event.startsWith('CALL_ESTABLISHED'));
    say(
      'hears ringing before the answer',
      '180, no 200',
      ringing && !early,
      phone.events.join(' | '),
    );
    await exchange.perform({
      do: 'play',
      leg: placed(),
      prompts: [{ kind: 'say', text: 'A'.repeat(200) }],
    });
    say(
      'is up when the other side answers',
      '200',
      await waitUntil(() => phone.events.some((event) => event.startsWith('CALL_ESTABLISHED'))),
    );
    phone.command('hangup');
    say(
      'its hang-up ends the leg',
      'ended',
      await waitUntil(() => exchange.exchange.legs.get(placed())?.state === 'ended'),
    );
    // The event of that end comes a moment later and must not count for the next call.
    await waitUntil(() => phone.events.some((event) => event.startsWith('CALL_CLOSED')));
    phone.events.length = 0;
    phone.command('dial', `sip:${busyNumber}@${realm}`);
    await waitUntil(() => phone.events.some((event) => event.startsWith('CALL_CLOSED')));
    const closed = phone.events.find((event) => event.startsWith('CALL_CLOSED')) ?? '';
    say('hears that the other side is busy', '486', closed.includes('486'), closed);
  } finally {
    await phone.stop();
  }
  return figures;
}

// ---- sipp ----

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

async function withSipp({ exchange, port }: TestSipServer, size: number): Promise<Metric[]> {
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

/** 30 (full: 200) calls from sipp. */
export async function run({ size }: FaultOptions): Promise<Metric[]> {
  const missing = (path: string, name: string): Metric[] => [
    {
      id: `${path.slice(9)}: all`,
      value: `${path} is missing (apt-get install ${name})`,
      target: '',
      pass: 'skipped',
    },
  ];
  const figures: Metric[] = [];
  const here = await startSipExchange();
  try {
    if (!existsSync(baresipPath)) figures.push(...missing(baresipPath, 'baresip'));
    else
      for (const [n, transport] of (['udp', 'tcp', 'tls'] as const).entries())
        figures.push(...(await withBaresip(here, transport, `u${n + 1}`, n)));
    figures.push(
      ...(existsSync(sippPath)
        ? await withSipp(here, size === 'full' ? 200 : 30)
        : missing(sippPath, 'sip-tester')),
    );
  } finally {
    await here.exchange.close();
  }
  return figures;
}
