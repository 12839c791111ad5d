import { expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { Headers, type Request, type Response } from './message.ts';
import { readMessage } from './read-message.ts';
import { maxTransactions, Transactions } from './transactions.ts';
import type { Flow } from './transaction-types.ts';
import type { ServerTransaction } from './server-transaction.ts';

/** A layer, what it sent, and what it handed on. */
function aLayer(transport: Flow['transport'] = 'UDP') {
  const clock = createFakeClock();
  const sent: string[] = [];
  const asked: ServerTransaction[] = [];
  const acks: Request[] = [];
  const layer = new Transactions(
    { request: (transaction) => asked.push(transaction), ack: (request) => acks.push(request) },
    () => '192.0.2.1:5060',
    clock,
  );
  const flowOf = (address = '192.0.2.7'): Flow => ({
    transport,
    address,
    port: 5070,
    key: `${transport} ${address} 5070`,
    send: (bytes) => sent.push(bytes.toString()),
  });
  const flow = flowOf();
  const hear = (text: string, from = flow): void => {
    const read = readMessage(Buffer.from(text));
    if (read.kind === 'request' || read.kind === 'response') layer.receive(read, from);
    else throw new Error(`not read: ${text}`);
  };
  const request = (method: string, { branch = 'z9hG4bKone', tag = '', cseq = 1 } = {}): string =>
    [
      `${method} sip:a@example.com SIP/2.0`,
      `Via: SIP/2.0/UDP 192.0.2.7:5070;branch=${branch};rport`,
      'From: <sip:b@example.com>;tag=their',
      `To: <sip:a@example.com>${tag && `;tag=${tag}`}`,
      'Call-ID: call',
      `CSeq: ${cseq} ${method}`,
      'Content-Length: 0',
      '',
      '',
    ].join('\r\n');
  /** The answer to the nth message we sent. */
  const answer = (n: number, status: number): string => {
    const head = (name: string): string =>
      new RegExp(`^${name}: .*`, 'im').exec(sent[n] ?? '')?.[0] ?? '';
    return [
      `SIP/2.0 ${status} Whatever`,
      head('Via'),
      head('From'),
      `${head('To')};tag=their`,
      head('Call-ID'),
      head('CSeq'),
      'Content-Length: 0',
      '',
      '',
    ].join('\r\n');
  };
  const statuses = (): string[] => sent.map((text) => text.split(' ').slice(0, 2).join(' '));
  const ask = (method: string) => {
    const heard: (number | null)[] = [];
    const headers = new Headers({
      from: '<sip:a@example.com>;tag=our',
      to: '<sip:b@example.com>',
      'call-id': 'ours',
      cseq: `1 ${method}`,
    });
    const transaction = layer.sendRequest(
      flow,
      { method, uri: 'sip:b@192.0.2.7:5070', headers },
      (response: Response | null) => heard.push(response?.status ?? null),
    );
    return { transaction, heard };
  };
  return { layer, clock, sent, asked, acks, hear, request, answer, statuses, ask, flowOf };
}

test('a retransmitted request is handed on once and gets the same response; answered transactions are removed in the end', () => {
  const { layer, clock, sent, asked, hear, request } = aLayer();
  hear(request('REGISTER'));
  const [transaction] = asked;
  transaction!.admit();
  hear(request('REGISTER'));
  transaction!.respond(200);
  hear(request('REGISTER'));
  expect([asked.length, sent.length, sent[0] === sent[1]]).toEqual([1, 2, true]);
  clock.advance(32_000);
  expect(layer.size).toBe(0);
});

test('nothing is kept of a request that is answered before its sender is known to receive us', () => {
  const { layer, asked, hear, request, sent } = aLayer();
  for (let n = 0; n < 100; n++) hear(request('INVITE', { branch: `z9hG4bK${n}` }));
  for (const transaction of asked) transaction.respond(401);
  expect([layer.size, sent.length]).toEqual([0, 100]);
  // The same answer, with the same tag, to the same request.
  hear(request('INVITE', { branch: 'z9hG4bK7' }));
  asked.at(-1)!.respond(401);
  expect(sent.at(-1)).toBe(sent[7]);
});

test('a 200 to an INVITE is retransmitted until its ACK, after 0.5, 1, 2 and then every 4 seconds; without an ACK the call is notified', () => {
  const { clock, asked, sent, hear, request } = aLayer();
  hear(request('INVITE'));
  let lost = 0;
  const [transaction] = asked;
  transaction!.admit();
  transaction!.onUnacknowledged = () => lost++;
  transaction!.respond(200);
  const after = (ms: number): number => {
    clock.advance(ms);
    return sent.length;
  };
  expect([
    after(499),
    after(1),
    after(999),
    after(1),
    after(2000),
    after(3999),
    after(1),
    after(4000),
  ]).toEqual([1, 2, 2, 3, 4, 4, 5, 6]);
  transaction!.acknowledge();
  expect([after(60_000), lost]).toEqual([6, 0]);

  hear(request('INVITE', { branch: 'z9hG4bKtwo' }));
  asked[1]!.admit();
  asked[1]!.onUnacknowledged = () => lost++;
  asked[1]!.respond(200);
  clock.advance(31_999);
  expect(lost).toBe(0);
  clock.advance(1);
  const said = sent.length;
  clock.advance(60_000);
  expect([lost, sent.length]).toEqual([1, said]);
});

test('over TCP a 200 is retransmitted, a refusal is not', () => {
  const { clock, asked, sent, hear, request } = aLayer('TCP');
  for (const [n, status] of [200, 486].entries()) {
    hear(request('INVITE', { branch: `z9hG4bK${n}` }));
    asked[n]!.admit();
    asked[n]!.respond(status);
  }
  clock.advance(500);
  expect(sent.map((text) => text.slice(8, 11))).toEqual(['200', '486', '200']);
});

test('a refusal of an INVITE is retransmitted until its ACK, which is not handed on', () => {
  const { clock, asked, acks, sent, hear, request } = aLayer();
  hear(request('INVITE'));
  asked[0]!.admit();
  asked[0]!.respond(486);
  clock.advance(1500);
  expect(sent.length).toBe(3);
  hear(request('ACK'));
  clock.advance(60_000);
  expect([sent.length, acks.length]).toEqual([3, 0]);
  // The ACK of a "200" has a branch of its own and is for the call.
  hear(request('ACK', { branch: 'z9hG4bKother' }));
  expect(acks.length).toBe(1);
});

test('CANCEL reaches its INVITE once and only before the final response; for an unknown INVITE it gets 481', () => {
  const { asked, hear, request, statuses } = aLayer();
  let cancelled = 0;
  hear(request('INVITE'));
  asked[0]!.admit();
  asked[0]!.onCancel = () => {
    cancelled++;
    asked[0]!.respond(487);
  };
  hear(request('CANCEL'));
  hear(request('CANCEL'));
  hear(request('CANCEL', { branch: 'z9hG4bKnever' }));
  expect([cancelled, statuses()]).toEqual([
    1,
    ['SIP/2.0 200', 'SIP/2.0 487', 'SIP/2.0 200', 'SIP/2.0 481'],
  ]);
});

test('our request is retransmitted until it is answered, and times out after 32 seconds', () => {
  const invite = aLayer();
  const lost = invite.ask('INVITE');
  invite.clock.advance(31_999);
  expect([invite.sent.length, lost.heard]).toEqual([7, []]);
  invite.clock.advance(1);
  expect(lost.heard).toEqual([null]);
  const bye = aLayer();
  const { heard } = bye.ask('BYE');
  bye.clock.advance(1500);
  expect(bye.sent.length).toBe(3);
  bye.hear(bye.answer(0, 200));
  bye.hear(bye.answer(0, 200));
  bye.clock.advance(60_000);
  expect([bye.sent.length, heard, bye.layer.size]).toEqual([3, [200], 0]);
});

test('every retransmitted refusal of our INVITE is acknowledged; every retransmitted 200 reaches the call', () => {
  const { ask, hear, answer, statuses, sent } = aLayer();
  const refused = ask('INVITE');
  hear(answer(0, 180));
  for (let n = 0; n < 3; n++) hear(answer(0, 486));
  expect([refused.heard, statuses().slice(1)]).toEqual([
    [180, 486],
    ['ACK sip:b@192.0.2.7:5070', 'ACK sip:b@192.0.2.7:5070', 'ACK sip:b@192.0.2.7:5070'],
  ]);
  expect(/branch=\S+/.exec(sent[1]!)?.[0]).toBe(/branch=\S+/.exec(sent[0]!)?.[0]);
  const taken = ask('INVITE');
  for (let n = 0; n < 3; n++) hear(answer(4, 200));
  expect(taken.heard).toEqual([200, 200, 200]);
});

test('our CANCEL waits for a provisional response to the INVITE and is sent once', () => {
  const { ask, hear, answer, sent, clock } = aLayer();
  const { transaction, heard } = ask('INVITE');
  transaction.cancel({ reason: 'SIP;cause=200' });
  expect(sent.length).toBe(1);
  hear(answer(0, 180));
  hear(answer(0, 180));
  expect([sent.length, sent[1]?.split(' ')[0], sent[1]?.includes('Reason: SIP;cause=200')]).toEqual(
    [2, 'CANCEL', true],
  );
  hear(answer(1, 200));
  hear(answer(0, 487));
  clock.advance(60_000);
  expect(heard).toEqual([180, 180, 487]);
});

test('one address may not exceed its limit of transactions; others are still served', () => {
  const { layer, asked, hear, request, flowOf, sent } = aLayer();
  for (let n = 0; n <= maxTransactions.address; n++)
    hear(request('REGISTER', { branch: `z9hG4bK${n}` }));
  expect(asked.map((transaction) => transaction.admit()).filter(Boolean).length).toBe(
    maxTransactions.address,
  );
  expect([layer.size, sent.length, sent[0]?.startsWith('SIP/2.0 503')]).toEqual([
    maxTransactions.address,
    1,
    true,
  ]);
  hear(request('REGISTER', { branch: 'z9hG4bKneighbour' }), flowOf('192.0.2.8'));
  expect(asked.at(-1)!.admit()).toBe(true);
  layer.close();
  expect(layer.size).toBe(0);
});
