/**
 * What a SIP client is told and what its wishes do, by raw UDP. The product is a few lines here;
 * its own part is tested in the calls module.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { loudnessAt } from '../../platform/audio/loudness.ts';
import { startTestExchange, toyPitchHz } from '../../../test/support/exchange-harness.ts';
import { openTestPhone, type SipMessage } from '../../../test/support/desk-phone.ts';
import { DigestVerifier, ha1Of, md5 } from './digest.ts';
import { maxContacts } from './registrar.ts';

const realm = 'phones.test';
const password = 'correct horse';
const secret = 'a secret of at least sixteen';
let world: Awaited<ReturnType<typeof startTestExchange>>;
let port = 0;
let calls = 0;
/** What the product is asked, in words. */
const asked: string[] = [];
/** Let a call be placed only when told; else at once. */
let refusal: string | undefined;
let placing: Promise<void> = Promise.resolve();
let transferring: (to: string) => Promise<string | null> = () => Promise.resolve(null);

beforeAll(async () => {
  world = await startTestExchange({
    secret,
    sip: {
      port: 0,
      host: '127.0.0.1',
      realm,
      findUser: (user) =>
        Promise.resolve(
          /^u\d$/.test(user)
            ? { userId: Number(user.slice(1)), companies: [1], ha1: ha1Of(user, realm, password) }
            : null,
        ),
      placeCall: async ({ to, device, userId }) => {
        const leg = `placed-${++calls}`;
        asked.push(`place ${to}`);
        await placing;
        if (to.length < 10)
          return { status: 484, reason: refusal ?? 'This is not a phone number.' };
        await world.perform({
          do: 'createLeg',
          leg,
          to: { kind: 'app', userId, companyId: 1, device },
          callerId: '+14155552368',
          timeoutSeconds: 20,
          onBehalfOf: null,
        });
        return { leg };
      },
      hold: (_who, leg, on) => Promise.resolve(asked.push(`hold ${leg} ${on}`)),
      transfer: (_who, leg, to) => {
        asked.push(`transfer ${leg} ${to}`);
        return transferring(to);
      },
      onPresence: () => Promise.resolve(),
    },
  });
  port = world.sipPort ?? 0;
});
afterAll(() => world.close());

const phones: Awaited<ReturnType<typeof openTestPhone>>[] = [];
afterEach(async () => {
  for (const phone of phones.splice(0)) {
    await phone.register(undefined, 0);
    phone.leave();
  }
});
const aPhone = async (user = 'u7') => {
  const phone = await openTestPhone({ port }, { user, password, realm, hz: 700 });
  phones.push(phone);
  expect((await phone.register()).status).toBe(200);
  return phone;
};
const last = (): string => `placed-${calls}`;
/** The other side answers. */
const answered = (leg = last()) =>
  world.perform({ do: 'play', leg, prompts: [{ kind: 'say', text: 'A'.repeat(600) }] });
const ring = (leg: string, userId = 7, callerId = '+12125550147') =>
  world.perform({
    do: 'createLeg',
    leg,
    to: { kind: 'app', userId, companyId: 1 },
    callerId,
    timeoutSeconds: 20,
    onBehalfOf: null,
  });
const up = async (
  phone: Awaited<ReturnType<typeof openTestPhone>>,
  options = {},
  number = '2125550148',
) => {
  const dialling = phone.dial(number, options);
  await phone.next(({ status }) => status === 180);
  await answered();
  const call = await dialling;
  expect(call.final.status).toBe(200);
  return call;
};
const direction = ({ body }: SipMessage) =>
  /^a=(sendrecv|sendonly|recvonly|inactive)\r?$/m.exec(body)?.[1];
const origin = ({ body }: SipMessage) =>
  (/^o=- (\d+) (\d+) /m.exec(body) ?? []).slice(1).map(Number);
const offering = (body: string, ...lines: string[]) =>
  `${body}${lines.map((line) => `${line}\r\n`).join('')}`;

test('it gets ringing, and 200 only when the other side answers; otherwise the failure', async () => {
  const phone = await aPhone();
  for (const [because, status] of [
    ['busy', 486],
    ['declined', 603],
    ['noAnswer', 480],
    ['failed', 500],
    ['rejected', 404],
  ] as const) {
    const dialling = phone.dial('2125550148');
    await phone.next((m) => m.status === 180);
    await world.told('legAnswered', last());
    await world.perform({ do: 'hangup', leg: last(), because });
    expect((await dialling).final.status, because).toBe(status);
  }
  const call = await up(phone);
  await expect
    .poll(() => loudnessAt(phone.heard(300), toyPitchHz('A'), 8000), { timeout: 20_000 })
    .toBeGreaterThan(0.05);
  call.bye();
  expect(await world.told('legEnded', last())).toMatchObject({ cause: 'hangup' });
});

test('letters are no number (404), a number that is too short is incomplete (484), and neither is placed', async () => {
  const phone = await aPhone();
  asked.length = 0;
  expect((await phone.dial('hello')).final.status).toBe(404);
  expect((await phone.dial('2125')).final.status).toBe(484);
  expect(asked).toEqual(['place 2125']);
});

test('numbers are dialed in every form that phones send: tel:, parameters, letters, pauses', async () => {
  const phone = await aPhone();
  for (const [dialed, number] of [
    ['tel:+13105550303', '+13105550303'],
    ['tel:+1-310-555-0303', '+13105550303'],
    ['tel:310-555-0303;phone-context=+1', '+13105550303'],
    ['tel:+1-310-555-0303;ext=12', '+13105550303,12'],
    ['+13105550303;ext=12', '+13105550303,12'],
    ['3105550303;phone-context=+1', '+13105550303'],
    ['13105550303;phone-context=+1', '+13105550303'],
    ['3105550303;phone-context=pbx.example', '3105550303'],
    ['1800FLOWERS', '1800FLOWERS'],
    ['1-800-FLOWERS', '1800FLOWERS'],
    ['3105550303,,123%23', '3105550303,123#'],
    ['3105550303;postd=pp22', '3105550303,22'],
    ['3105550303p22', '3105550303,22'],
    ['%2B13105550303', '+13105550303'],
  ] as const) {
    asked.length = 0;
    const call = await up(phone, {}, dialed);
    expect(asked, dialed).toEqual([`place ${number}`]);
    call.bye();
    await world.told('legEnded', last());
  }
  for (const wrong of ['tel:hello', 'tel:%E0%A4%A', '0800pizza', 'a'.repeat(40)])
    expect((await phone.dial(wrong)).final.status, wrong).toBe(404);
});

test('a refusal’s words are legible on a phone’s display', async () => {
  const phone = await aPhone();
  refusal = 'You’re on a call – “José” isn’t free…';
  const { final } = await phone.dial('2125');
  refusal = undefined;
  expect(final.first).toBe(`SIP/2.0 484 You're on a call - "Jose" isn't free...`);
});

test('an offer with feedback (RTP/AVPF) is answered in its own profile', async () => {
  const phone = await aPhone();
  const call = await up(phone, { offer: phone.sdp().replace('RTP/AVP ', 'RTP/AVPF ') });
  expect(call.final.body).toMatch(/^m=audio \d+ RTP\/AVPF 0 101\r$/m);
  call.bye();
  await world.told('legEnded', last());
  const secure = phone.sdp().replace('RTP/AVP ', 'RTP/SAVPF ');
  expect((await phone.dial('2125550148', { offer: secure })).final.status).toBe(488);
});

test('CANCEL right after INVITE rings no phone, however late the product places the call', async () => {
  asked.length = 0;
  const phone = await aPhone();
  let place: () => void = () => undefined;
  placing = new Promise((resolve) => (place = resolve));
  const dialling = phone.dial('2125550148');
  await expect.poll(() => asked.at(-1)).toBe('place 2125550148');
  const leg = last();
  phone.cancel();
  expect((await dialling).final.status).toBe(487);
  place();
  placing = Promise.resolve();
  expect(await world.told('legEnded', leg)).toMatchObject({ cause: 'cancelled' });
  expect(world.exchange.legs.get(leg)?.state).toBe('ended');
  expect(phone.inbox().filter(({ method }) => method === 'INVITE')).toEqual([]);
  // And the phone is free for another call at once.
  (await up(phone)).bye();
});

test('a phone that answers our INVITE with 488, 404, 500, 302 or 603 ends that leg at once', async () => {
  const phone = await aPhone();
  for (const [status, cause] of [
    ['488 Not Acceptable Here', 'failed'],
    ['404 Not Found', 'failed'],
    ['500 Server Error', 'failed'],
    ['302 Moved', 'failed'],
    ['486 Busy Here', 'busy'],
    ['603 Decline', 'declined'],
  ] as const) {
    const leg = `ring-${status.slice(0, 3)}`;
    // A caller of its own: on a busy machine the INVITE of the one before may have come twice.
    const caller = `+121255501${status.slice(1, 3)}`;
    await ring(leg, 7, caller);
    phone.reply(
      await phone.next(
        (m) => m.method === 'INVITE' && (m.headers.get('from') ?? '').includes(caller),
      ),
      status,
    );
    expect(await world.told('legEnded', leg, 10_000), status).toMatchObject({ cause });
  }
});

test('hold is answered as RFC 3264 says, told to the product, and taken back; one session, a higher version each time', async () => {
  const phone = await aPhone();
  const call = await up(phone);
  asked.length = 0;
  const body = phone.sdp();
  const again = (text: string) =>
    call.request('INVITE', [], text).then((answer) => {
      call.ack();
      return answer;
    });
  const answers = [];
  for (const [offer, expected] of [
    [offering(body, 'a=sendonly'), 'recvonly'],
    [offering(body, 'a=sendrecv'), 'sendrecv'],
    [offering(body, 'a=inactive'), 'inactive'],
    [offering(body, 'a=recvonly'), 'sendonly'],
    [body.replace('c=IN IP4 127.0.0.1', 'c=IN IP4 0.0.0.0'), 'recvonly'],
    [body, 'sendrecv'],
  ] as const) {
    const answer = await again(offer);
    expect([answer.status, direction(answer)]).toEqual([200, expected]);
    answers.push(answer);
  }
  const [ids, versions] = [
    [call.final, ...answers].map((m) => origin(m)[0]),
    [call.final, ...answers].map((m) => origin(m)[1]!),
  ];
  expect(new Set(ids).size).toBe(1);
  expect(versions).toEqual(versions.map((_, n) => versions[0]! + n));
  await expect
    .poll(() => asked)
    .toEqual([
      `hold ${last()} true`,
      `hold ${last()} false`,
      `hold ${last()} true`,
      `hold ${last()} false`,
      `hold ${last()} true`,
      `hold ${last()} false`,
    ]);
  // The same again is the same version.
  expect(origin(await again(body))[1]).toBe(versions.at(-1));
  await answered();
  await expect
    .poll(() => loudnessAt(phone.heard(300), toyPitchHz('A'), 8000), { timeout: 20_000 })
    .toBeGreaterThan(0.05);
  call.bye();
});

test('who holds a call for minutes still has it', async () => {
  const phone = await aPhone();
  const outside = world.exchange.receiveCall('+12125550147', '+14155552368');
  await world.perform({ do: 'answer', leg: outside.id });
  await world.perform({
    do: 'createLeg',
    leg: 'holder',
    to: { kind: 'app', userId: 7, companyId: 1 },
    callerId: '+12125550161',
    timeoutSeconds: 20,
    onBehalfOf: outside.id,
  });
  const picked = await phone.answer(30_000, '+12125550161');
  await world.told('legAnswered', 'holder');
  await world.perform({ do: 'bridge', legs: [outside.id, 'holder'] });
  await world.perform(
    { do: 'unbridge', legs: [outside.id, 'holder'] },
    { do: 'hold', leg: outside.id, on: true, musicId: 1 },
  );
  const holder = world.exchange.legs.get('holder')!;
  for (let minutes = 1; minutes <= 5; minutes++)
    world.exchange.sweep(performance.now() + minutes * 61_000);
  expect([holder.state, outside.state]).toEqual(['answered', 'answered']);
  picked.bye();
  await world.perform({ do: 'hangup', leg: outside.id });
});

test('a video line is refused by port 0 and stays in its place; without SDP it is offered ours, in INVITE and re-INVITE', async () => {
  const phone = await aPhone();
  const call = await up(phone, {
    offer: offering(phone.sdp(), 'm=video 5004 RTP/AVP 31', 'a=rtpmap:31 H261/90000'),
  });
  expect(
    call.final.body
      .split('\r\n')
      .filter((line) => line.startsWith('m='))
      .map((line) => line.replace(/audio \d+/, 'audio N')),
  ).toEqual(['m=audio N RTP/AVP 0 101', 'm=video 0 RTP/AVP 31']);
  const offered = await call.request('INVITE');
  expect([
    offered.status,
    direction(offered),
    offered.body.includes('m=video 0 RTP/AVP 31'),
  ]).toEqual([200, 'sendrecv', true]);
  call.ack(offering(phone.sdp(), 'm=video 0 RTP/AVP 31'));
  call.bye();
  await phone.next((m) => m.status === 200 && (m.headers.get('cseq') ?? '').endsWith('BYE'));
  const bare = await up(phone, { offer: '' });
  expect(bare.final.body).toContain('RTP/AVP 0 8 101');
  await expect
    .poll(() => loudnessAt(phone.heard(300), toyPitchHz('A'), 8000), { timeout: 20_000 })
    .toBeGreaterThan(0.05);
  bare.bye();
});

test('keys sent as INFO arrive; another kind of INFO is refused', async () => {
  const phone = await aPhone();
  const call = await up(phone);
  const leg = world.exchange.legs.get(last())!;
  const keys: string[] = [];
  leg.onKey = (digit) => keys.push(digit);
  for (const [type, body] of [
    ['application/dtmf-relay', 'Signal=5\r\nDuration=160\r\n'],
    ['application/dtmf-relay', 'Signal= 11\r\nDuration=160'],
    ['application/dtmf', '*'],
  ] as const)
    expect((await call.request('INFO', [`Content-Type: ${type}`], body)).status).toBe(200);
  expect(keys).toEqual(['5', '#', '*']);
  expect(
    (await call.request('INFO', ['Content-Type: application/dtmf-relay'], 'Signal=\r\n')).status,
  ).toBe(400);
  expect((await call.request('INFO', ['Content-Type: text/plain'], 'x')).status).toBe(415);
  leg.onKey = null;
  call.bye();
});

test('REFER transfers the call: 202, then NOTIFY with the outcome, then the phone’s own call ends', async () => {
  const phone = await aPhone();
  const call = await up(phone);
  const leg = last();
  asked.length = 0;
  transferring = async () => {
    await world.perform({ do: 'hangup', leg });
    return null;
  };
  expect((await call.request('REFER', ['Refer-To: <sip:+12125550199@phones.test>'])).status).toBe(
    202,
  );
  const notified = async () => {
    const m = await phone.next(({ method }) => method === 'NOTIFY');
    phone.ok(m);
    return [m.headers.get('subscription-state')?.split(';')[0], m.body.trim()];
  };
  expect([await notified(), await notified()]).toEqual([
    ['active', 'SIP/2.0 100 Trying'],
    ['terminated', 'SIP/2.0 200 OK'],
  ]);
  phone.ok(await phone.next(({ method }) => method === 'BYE'));
  expect(asked).toEqual([`transfer ${leg} +12125550199`]);
  // Refused by the product: the phone is told so and talks on.
  const other = await up(phone);
  transferring = () => Promise.resolve('This is not a phone number.');
  expect((await other.request('REFER', ['Refer-To: <sip:nobody@phones.test>'])).status).toBe(202);
  expect([await notified(), await notified()]).toEqual([
    ['active', 'SIP/2.0 100 Trying'],
    ['terminated', 'SIP/2.0 603 Decline'],
  ]);
  expect(
    (await other.request('REFER', ['Refer-To: <sip:u8@phones.test?Replaces=a%40b>'])).status,
  ).toBe(501);
  expect((await other.request('OPTIONS')).status).toBe(200);
  other.bye();
});

test('BYE with other tags is no BYE of this call', async () => {
  const phone = await aPhone();
  const call = await up(phone);
  const bye = (from: string, to: string) =>
    `BYE sip:exchange@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:${phone.at};branch=z9hG4bK${Math.random()};rport\r\nFrom: ${from}\r\nTo: ${to}\r\nCall-ID: ${call.id}\r\nCSeq: 90 BYE\r\nContent-Length: 0\r\n\r\n`;
  for (const [from, to] of [
    [call.from, '<sip:x@phones.test>;tag=guessed'],
    ['<sip:x@phones.test>;tag=guessed', call.to],
    [call.from, '<sip:x@phones.test>'],
  ] as const) {
    phone.say(bye(from, to));
    expect((await phone.next((m) => (m.headers.get('cseq') ?? '') === '90 BYE')).status).toBe(481);
  }
  expect(world.exchange.legs.get(last())?.state).toBe('answered');
  call.bye();
});

test('what is not served is refused by its name', async () => {
  const phone = await aPhone();
  const say = async (
    method: string,
    more: string[] = [],
    { version = '2.0', uri = 'sip:phones.test' } = {},
  ) => {
    const branch = `z9hG4bK${Math.random()}`;
    phone.say(
      [
        `${method} ${uri} SIP/${version}`,
        `Via: SIP/${version}/UDP 127.0.0.1:${phone.at};branch=${branch};rport`,
        'Max-Forwards: 70',
        'From: <sip:u7@phones.test>;tag=a',
        'To: <sip:u7@phones.test>',
        `Call-ID: ${branch}`,
        `CSeq: 1 ${method}`,
        ...more,
        'Content-Length: 0',
        '',
        '',
      ].join('\r\n'),
    );
    return phone.next((m) => m.headers.get('call-id') === branch, 5000);
  };
  expect((await say('OPTIONS')).status).toBe(200);
  const extension = await say('OPTIONS', [
    'Require: nothingSupportsThis, nothingSupportsThisEither',
  ]);
  expect([extension.status, extension.headers.get('unsupported')]).toEqual([
    420,
    'nothingSupportsThis, nothingSupportsThisEither',
  ]);
  expect((await say('INVITE', ['Require: 100rel'])).status).toBe(420);
  expect((await say('OPTIONS', [], { version: '7.0' })).first).toBe(
    'SIP/2.0 505 Version Not Supported',
  );
  expect(
    (await say('OPTIONS', [], { uri: 'nobodyKnowsThisScheme:totallyopaquecontent' })).status,
  ).toBe(416);
  expect((await say('SUBSCRIBE', ['Event: message-summary'])).status).toBe(489);
  expect((await say('MESSAGE')).status).toBe(405);
  expect((await say('NEWMETHOD')).status).toBe(501);
  expect((await say('REFER', ['Refer-To: <sip:a@phones.test>'])).status).toBe(481);
  expect(
    (await say('REGISTER', ['Authorization: NoOneKnowsThisScheme opaque-data=here'])).status,
  ).toBe(401);
});

test('a right answer is never refused: wrong ones count by user and address, and only for nonces we gave that address', async () => {
  const phone = await aPhone('u7');
  const neighbour = await openTestPhone({ port }, { user: 'u8', password, realm, hz: 700 });
  phones.push(neighbour);
  // Invented nonces, and one of ours that another address was given: no round trip, so nothing is
  // learned from them.
  const foreign = new DigestVerifier(secret, realm).nonce('192.0.2.50');
  for (let n = 0; n < 30; n++) {
    const nonce = n % 2 ? foreign : 'invented';
    phone.say(
      [
        'REGISTER sip:phones.test SIP/2.0',
        `Via: SIP/2.0/UDP 127.0.0.1:${phone.at};branch=z9hG4bKblind${n};rport`,
        'From: <sip:u7@phones.test>;tag=a',
        'To: <sip:u7@phones.test>',
        `Call-ID: blind${n}`,
        'CSeq: 1 REGISTER',
        `Authorization: Digest username="u7", realm="${realm}", nonce="${nonce}", uri="sip:phones.test", response="${md5('x')}"`,
        'Content-Length: 0',
        '',
        '',
      ].join('\r\n'),
    );
    expect(
      (await phone.next((m) => m.headers.get('call-id') === `blind${n}`)).status,
      'asked again',
    ).toBe(401);
  }
  for (let n = 0; n < 11; n++) expect((await phone.register('mistyped')).status).toBe(403);
  expect((await neighbour.register()).status, 'the phone beside it').toBe(200);
  expect((await phone.register()).status, 'the same phone, corrected').toBe(200);
  (await up(phone)).bye();
});

test('ten phones a user; one more takes the place of the one that was longest silent', async () => {
  const devices = () =>
    new Set(
      [...world.exchange.devices.all()].flatMap(({ identity }) =>
        identity.kind === 'app' && identity.userId === 9 ? [identity.device] : [],
      ),
    );
  const first = await aPhone('u9');
  const [longest] = devices();
  for (let n = 0; n < maxContacts; n++) await aPhone('u9');
  expect([devices().size, devices().has(longest!)]).toEqual([maxContacts, false]);
  // All of them are rung, the first one no longer.
  await ring('many', 9);
  await Promise.all(
    phones.slice(1).map((phone) => phone.next(({ method }) => method === 'INVITE')),
  );
  expect(first.inbox().filter(({ method }) => method === 'INVITE')).toEqual([]);
  await world.perform({ do: 'cancelLeg', leg: 'many', because: 'callerLeft' });
});
