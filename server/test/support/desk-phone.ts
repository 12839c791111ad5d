/**
 * For tests: a SIP desk phone over UDP or TCP that writes its own messages, sends a tone and keeps
 * what it receives.
 */
import { createSocket } from 'node:dgram';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { resample } from '../../src/platform/audio/resample.ts';
import { tone } from '../../src/platform/audio/tones.ts';
import { ha1Of, md5 } from '../../src/exchange/sip/digest.ts';
import { decode, encode, type Law } from '../../src/platform/audio/g711.ts';

const token = (): string => randomBytes(6).toString('hex');
export interface SipMessage {
  first: string;
  status: number;
  method: string;
  headers: Map<string, string>;
  body: string;
}

interface Outgoing {
  id: string;
  from: string;
  to: string;
  seq: number;
  branch?: string;
}
/** A call it placed: the final response, and requests within the call. */
interface TestCall {
  final: SipMessage;
  id: string;
  from: string;
  to: string;
  bye(): void;
  /** Sends a request within the call; its final response. */
  request(method: string, headers?: string[], body?: string): Promise<SipMessage>;
  ack(body?: string): void;
}

export async function openTestPhone(
  exchange: { port: number },
  who: {
    user: string;
    password: string;
    realm: string;
    hz: number;
    law?: Law;
    transport?: 'UDP' | 'TCP';
  },
) {
  const { law = 'PCMU', transport = 'UDP' } = who;
  const inbox: SipMessage[] = [];
  const take = (text: string): void => void inbox.push(read(text));
  const [signalling, sound] = await Promise.all([
    transport === 'TCP' ? overTcp(exchange.port, take) : overUdp(exchange.port, take),
    open(),
  ]);
  const [at, rtpAt] = [signalling.port, sound.address().port];
  const contact = `<sip:${who.user}@127.0.0.1:${at}${transport === 'TCP' ? ';transport=tcp' : ''}>`;
  const heard: Int16Array[] = [];
  let loudest = 0;
  // Made before any call: computing it during one would delay the phone's packets.
  const voice = encode(law, resample(tone([who.hz], 20_000, 0.5), 16_000, 8000));
  let speaking: NodeJS.Timeout | null = null;
  sound.on('message', (packet) => {
    if ((packet[1]! & 0x7f) === (law === 'PCMU' ? 0 : 8)) {
      const samples = decode(law, packet.subarray(12));
      heard.push(samples);
      loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), loudest);
    }
    if (heard.length > 250) heard.shift();
  });

  const send = (lines: string[], body = ''): void =>
    signalling.send([...lines, `Content-Length: ${body.length}`, '', body].join('\r\n'));
  const next = async (
    fits: (message: SipMessage) => boolean,
    patienceMs = 30_000,
  ): Promise<SipMessage> => {
    for (
      const until = Date.now() + patienceMs;
      Date.now() < until;
      await new Promise((resolve) => setTimeout(resolve, 10))
    ) {
      const found = inbox.findIndex(fits);
      if (found !== -1) return inbox.splice(found, 1)[0]!;
    }
    throw new Error(`Never told. Kept: ${inbox.map(({ first }) => first).join(' | ')}`);
  };
  const sdp = (): string =>
    [
      'v=0',
      'o=- 1 1 IN IP4 127.0.0.1',
      's=-',
      'c=IN IP4 127.0.0.1',
      't=0 0',
      `m=audio ${rtpAt} RTP/AVP ${law === 'PCMU' ? 0 : 8} 101`,
      'a=rtpmap:101 telephone-event/8000',
      '',
    ].join('\r\n');

  const request = (
    method: string,
    uri: string,
    call: { id: string; from: string; to: string; seq: number; branch?: string },
    more: string[] = [],
    body = '',
  ): void => {
    const typed =
      body === '' || more.some((line) => line.startsWith('Content-Type:'))
        ? []
        : ['Content-Type: application/sdp'];
    send(
      [
        `${method} ${uri} SIP/2.0`,
        `Via: SIP/2.0/${transport} 127.0.0.1:${at};branch=z9hG4bK${call.branch ?? token()};rport`,
        'Max-Forwards: 70',
        `From: ${call.from}`,
        `To: ${call.to}`,
        `Call-ID: ${call.id}`,
        `CSeq: ${call.seq} ${method}`,
        `Contact: ${contact}`,
        ...typed,
        ...more,
      ],
      body,
    );
  };
  const authorize = (challenge: string, method: string, uri: string, password: string): string => {
    const part = (name: string): string =>
      new RegExp(`${name}="?([^",]+)`).exec(challenge)?.[1] ?? '';
    const [realm, nonce, cnonce] = [part('realm'), part('nonce'), token()];
    const response = md5(
      `${ha1Of(who.user, realm, password)}:${nonce}:00000001:${cnonce}:auth:${md5(`${method}:${uri}`)}`,
    );
    return `Authorization: Digest username="${who.user}", realm="${realm}", nonce="${nonce}", uri="${uri}", response="${response}", algorithm=MD5, qop=auth, nc=00000001, cnonce="${cnonce}"`;
  };
  /** Sends a request, answers the digest challenge, and returns the final response. */
  const proven = async (
    method: string,
    uri: string,
    call: Outgoing,
    password: string,
    more: string[] = [],
    body = '',
  ): Promise<SipMessage> => {
    const ours = (m: SipMessage): boolean =>
      m.status >= 200 &&
      m.headers.get('call-id') === call.id &&
      m.headers.get('cseq') === `${call.seq} ${method}`;
    const asked = async (headers: string[]): Promise<SipMessage> => {
      call.branch = token();
      request(method, uri, call, headers, body);
      const answer = await next(ours);
      // A rejection is acknowledged within the same transaction (RFC 3261 17.1.1.3).
      if (method === 'INVITE' && answer.status >= 300)
        request('ACK', uri, { ...call, to: answer.headers.get('to') ?? call.to });
      return answer;
    };
    const first = await asked(more);
    if (first.status !== 401) return first;
    call.seq++;
    return asked([
      ...more,
      authorize(first.headers.get('www-authenticate') ?? '', method, uri, password),
    ]);
  };
  let placing: { uri: string; at: Outgoing } | null = null;
  const me = `<sip:${who.user}@${who.realm}>`;

  const speakTo = (port: number): void => {
    let n = 0;
    if (speaking) clearInterval(speaking);
    speaking = setInterval(() => {
      const header = Buffer.alloc(12);
      header.writeUInt8(0x80, 0);
      header.writeUInt8(law === 'PCMU' ? 0 : 8, 1);
      header.writeUInt16BE(n % 65_536, 2);
      header.writeUInt32BE(n * 160, 4);
      header.writeUInt32BE(7, 8);
      sound.send(
        Buffer.concat([header, voice.subarray((n * 160) % 150_000, ((n * 160) % 150_000) + 160)]),
        port,
        '127.0.0.1',
        () => undefined,
      );
      n++;
    }, 20);
  };
  const portIn = (body: string): number => Number(/m=audio (\d+)/.exec(body)?.[1] ?? 0);

  return {
    at,
    register: (password = who.password, seconds = 120): Promise<SipMessage> =>
      proven(
        'REGISTER',
        `sip:${who.realm}`,
        { id: token(), from: `${me};tag=${token()}`, to: me, seq: 1 },
        password,
        [`Expires: ${seconds}`],
      ),
    /** Waits for a call, from one caller or any, and answers it. */
    async answer(patienceMs = 60_000, caller = ''): Promise<{ invite: SipMessage; bye(): void }> {
      const invite = await next(
        ({ method, headers }) =>
          method === 'INVITE' && (headers.get('from') ?? '').includes(caller),
        patienceMs,
      );
      const mine = token();
      const [from = '', to = '', id = ''] = ['from', 'to', 'call-id'].map(
        (name) => invite.headers.get(name) ?? '',
      );
      const reply = (status: string, body = ''): void =>
        send(
          [
            `SIP/2.0 ${status}`,
            `Via: ${invite.headers.get('via')}`,
            `From: ${from}`,
            `To: ${to};tag=${mine}`,
            `Call-ID: ${id}`,
            `CSeq: ${invite.headers.get('cseq')}`,
            `Contact: ${contact}`,
            ...(body === '' ? [] : ['Content-Type: application/sdp']),
          ],
          body,
        );
      reply('180 Ringing');
      reply('200 OK', sdp());
      await next(({ method, headers }) => method === 'ACK' && headers.get('call-id') === id);
      speakTo(portIn(invite.body));
      return {
        invite,
        bye: () =>
          request('BYE', `sip:exchange@127.0.0.1:${exchange.port}`, {
            id,
            from: `${to};tag=${mine}`,
            to: from,
            seq: 5,
          }),
      };
    },
    /** Places a call; `offer`: other SDP than usual. `cancel` ends it while it rings. */
    async dial(
      number: string,
      { offer = sdp(), more = [] as string[], acknowledges = true } = {},
    ): Promise<TestCall> {
      const uri = /^(tel|sip):/.test(number) ? number : `sip:${number}@${who.realm}`;
      const call: Outgoing = { id: token(), from: `${me};tag=${token()}`, to: `<${uri}>`, seq: 1 };
      placing = { uri, at: call };
      const final = await proven('INVITE', uri, call, who.password, more, offer);
      const to = final.headers.get('to') ?? call.to;
      const inside = (method: string, headers: string[] = [], body = ''): number => {
        if (method !== 'ACK') call.seq++;
        request(
          method,
          `sip:exchange@127.0.0.1:${exchange.port}`,
          { ...call, to, branch: token() },
          headers,
          body,
        );
        return call.seq;
      };
      if (final.status === 200 && acknowledges) inside('ACK', [], offer === '' ? sdp() : '');
      if (final.status === 200) speakTo(portIn(final.body));
      return {
        final,
        to,
        id: call.id,
        from: call.from,
        bye: () => void inside('BYE'),
        request: (method, headers, body) => {
          const seq = inside(method, headers, body);
          return next(
            (m) =>
              m.status >= 200 &&
              m.headers.get('call-id') === call.id &&
              m.headers.get('cseq') === `${seq} ${method}`,
            10_000,
          );
        },
        ack: (body = '') => void inside('ACK', [], body),
      };
    },
    /** Cancels the call being placed. */
    cancel(): void {
      if (placing) request('CANCEL', placing.uri, placing.at);
    },
    /** Sends one request as written, nothing else. */
    say: (text: string): void => signalling.send(text),
    rtpAt,
    sdp,
    /** Answers an INVITE with a status only. */
    reply: (invite: SipMessage, status: string): void =>
      send([
        `SIP/2.0 ${status}`,
        `Via: ${invite.headers.get('via')}`,
        `From: ${invite.headers.get('from')}`,
        `To: ${invite.headers.get('to')};tag=${who.user}`,
        `Call-ID: ${invite.headers.get('call-id')}`,
        `CSeq: ${invite.headers.get('cseq')}`,
      ]),
    /** Received messages that nothing has consumed yet. */
    inbox: (): readonly SipMessage[] => inbox,
    /** Answers a request from the exchange. */
    ok: (asked: SipMessage): void =>
      send([
        `SIP/2.0 200 OK`,
        `Via: ${asked.headers.get('via')}`,
        `From: ${asked.headers.get('from')}`,
        `To: ${asked.headers.get('to')}`,
        `Call-ID: ${asked.headers.get('call-id')}`,
        `CSeq: ${asked.headers.get('cseq')}`,
      ]),
    next,
    /** Peak sample of all audio received, so that speech is found no matter when the test looks. */
    loudest: (): number => loudest,
    heard(ms: number): Int16Array {
      const all = heard.slice(-Math.ceil(ms / 20));
      const joined = new Int16Array(all.reduce((sum, { length }) => sum + length, 0));
      all.reduce((place, piece) => (joined.set(piece, place), place + piece.length), 0);
      return joined;
    },
    leave(): void {
      if (speaking) clearInterval(speaking);
      signalling.close();
      sound.close();
    },
  };
}

async function overUdp(port: number, take: (text: string) => void) {
  const socket = await open();
  socket.on('message', (bytes) => take(bytes.toString()));
  return {
    port: socket.address().port,
    send: (text: string): void => void socket.send(text, port, '127.0.0.1'),
    close: (): void => void socket.close(),
  };
}

async function overTcp(port: number, take: (text: string) => void) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  let left = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    left += text;
    for (;;) {
      const head = left.indexOf('\r\n\r\n');
      if (head === -1) return;
      const length = Number(/^content-length: *(\d+)/im.exec(left.slice(0, head))?.[1] ?? 0);
      if (left.length < head + 4 + length) return;
      take(left.slice(0, head + 4 + length));
      left = left.slice(head + 4 + length);
    }
  });
  return {
    port: socket.localPort!,
    send: (text: string): void => void socket.write(text),
    close: (): void => void socket.destroy(),
  };
}

async function open() {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return socket;
}

function read(text: string): SipMessage {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).trim().toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  return {
    first,
    status: Number(/^SIP\/2\.0 (\d+)/.exec(first)?.[1] ?? 0),
    method: /^(\w+) .*SIP\/2\.0$/.exec(first)?.[1] ?? '',
    headers,
    body,
  };
}
