import { mkdtempSync, rmSync } from 'node:fs';
import { withAdapterSettings } from '../../../test/support/adapter-settings.ts';
import { bandwidthSettings } from './settings.ts';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { invalidBxml } from '../../../test/conformance/bxml-attributes.ts';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import { openDb } from '../../platform/db.ts';
import { createDiskStore, createFileStore } from '../../platform/files.ts';
import { createLogger } from '../../platform/log.ts';
import { readSettings } from '../../settings.ts';
import type { VoiceCommand, VoiceEvent } from '../../gateways/voice.ts';
import type { LegInstruction } from '../shared/leg-instruction.ts';
import { startBandwidthMock } from '../../../test/support/bandwidth-mock.ts';
import { buildBxml, conferenceName, type CallbackUrls } from './bxml.ts';
import { bandwidthCarrier } from './carrier.ts';
import { legEndCause } from './codes.ts';
import { webhookKeyOf } from './client.ts';
import { millisecondsOf } from './voice-events.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-test-'));
const databaseUrl = await createTestDatabase();
const db = openDb(databaseUrl, createLogger('silent', 'test'));
const bandwidth = await startBandwidthMock();
const settings = readSettings({
  CARRIER: 'bandwidth',
  PUBLIC_URL: 'https://phones.example.test',
  BANDWIDTH_ACCOUNT_ID: '9900000',
  BANDWIDTH_USERNAME: 'api',
  BANDWIDTH_PASSWORD: 'secret',
  BANDWIDTH_MESSAGING_APPLICATION_ID: 'text-app',
  BANDWIDTH_VOICE_APPLICATION_ID: 'voice-app',
  BANDWIDTH_SITE_ID: '2297',
  BANDWIDTH_PEER_ID: '500709',
  BANDWIDTH_WEBHOOK_USERNAME: 'reports',
  BANDWIDTH_WEBHOOK_PASSWORD: 'hush',
  BANDWIDTH_API_URL: bandwidth.url,
  DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl,
});
const carrier = bandwidthCarrier({
  settings,
  db,
  files: createFileStore(settings, createDiskStore(join(dataDir, 'files'))),
  log: createLogger('silent', 'test'),
  now: () => new Date(),
});
const voice = carrier.voice!;
afterAll(async () => {
  await carrier.close?.();
  await bandwidth.close();
  await db.close();
  rmSync(dataDir, { recursive: true });
});

const callbacks: CallbackUrls = {
  voice: (l) => `https://x.test/voice?leg=${l}`,
  gather: (l, c) => `https://x.test/gather?leg=${l}&command=${c}`,
  recording: (l, r) => `https://x.test/recording?leg=${l}&recording=${r}`,
  conference: (l) => `https://x.test/conference?leg=${l}`,
  file: (n) => `https://x.test/file/${n}`,
  sound: (n) => `https://x.test/sounds/${n}.wav`,
};
const prompts = [
  { kind: 'say' as const, text: 'Hello & <break time="9s"/> welcome' },
  { kind: 'play' as const, fileId: '1:2' },
  { kind: 'beep' as const },
];
const everything: LegInstruction[] = [
  { kind: 'wait' },
  { kind: 'play', command: 'c', prompts },
  { kind: 'gather', command: 'c', prompts, maxDigits: 3, timeoutSeconds: 5, finishOn: '#' },
  { kind: 'gather', command: 'c', prompts, maxDigits: 1, timeoutSeconds: 500, finishOn: '' },
  { kind: 'music', musicId: null, file: null },
  { kind: 'music', musicId: 2, file: null },
  { kind: 'music', musicId: 1001, file: '1:3' },
  { kind: 'room', room: 'r', muted: false, coach: null },
  { kind: 'room', room: 'r', muted: true, coach: 'b' },
  {
    kind: 'keys',
    command: 'c',
    digits: '1w2#',
    then: { kind: 'room', room: 'r', muted: false, coach: null },
  },
  { kind: 'record', recordingId: 'r', maxSeconds: 120, beep: true, silenceSeconds: 10 },
  { kind: 'hangup' },
  { kind: 'reject', because: 'busy' },
];
const about = {
  leg: 'a',
  inbound: true,
  answered: true,
  login: { username: 'reports', password: 'hush' },
};

it('documents hold nothing that Bandwidth’s own types do not declare', () => {
  for (const instruction of everything)
    for (const answered of [true, false])
      for (const recording of [null, 'stop' as const, { begin: 'r1' }])
        expect(
          invalidBxml(
            buildBxml(instruction, { ...about, answered, coachRef: 'c-1', recording }, callbacks),
          ),
          JSON.stringify(instruction),
        ).toEqual([]);
});
it('the check itself sees an unknown verb, an unknown attribute and a wrong value', () => {
  expect(invalidBxml('<Bxml><Shout>hey</Shout></Bxml>')).toEqual(['there is no verb <Shout>']);
  expect(invalidBxml('<Bxml><Ring loud="1" duration="long"/></Bxml>')).toEqual([
    '<Ring> has no attribute loud',
    '<Ring duration> cannot be "long"',
  ]);
});
it('a caller who was not picked up goes on hearing it ring, and words are never marks', () => {
  expect(buildBxml({ kind: 'wait' }, { ...about, answered: false }, callbacks)).toContain(
    '<Bxml><Ring duration="2" answerCall="false"/><Redirect',
  );
  expect(buildBxml({ kind: 'play', command: 'c', prompts }, about, callbacks)).not.toContain(
    '<break',
  );
  expect(conferenceName('c-1~1-77.2')).toMatch(/^[0-9a-f]{40}$/);
});
it('reads what Bandwidth says of ends and durations', () => {
  expect([
    legEndCause('timeout', false),
    legEndCause('rejected', false),
    legEndCause('busy', false),
    legEndCause('cancel', false),
    legEndCause('hangup', true),
    legEndCause('node-capacity-exceeded', false),
  ]).toEqual(['noAnswer', 'declined', 'busy', 'cancelled', 'hangup', 'failed']);
  expect([
    millisecondsOf('PT13.67S'),
    millisecondsOf('PT1M2S'),
    millisecondsOf('PT1H'),
    millisecondsOf(undefined),
  ]).toEqual([13_670, 62_000, 3_600_000, 0]);
});

it('every request is what Bandwidth’s own document says', async () => {
  const heard: VoiceEvent[] = [];
  carrier.attachEventSink?.({
    voice: async (events: readonly VoiceEvent[]) => {
      heard.push(...events);
      return { performed: Promise.resolve() };
    },
    texts: async () => {},
    receipts: async () => {},
  } as never);
  const [a, b] = ['c-inbound-1', '1-77.1'];
  await sql`insert into carrier_leg (carrier, leg, call, carrier_ref, from_number, to_number,
      inbound, state, facts) values ('bandwidth', ${a}, ${a}, ${a}, '+12125550147', '+14155552368',
      true, 'answered', '{"picked": true}')`.execute(db.unscoped);
  await voice.perform([
    {
      id: '1-77.2',
      do: 'createLeg',
      leg: b,
      to: { kind: 'phone', number: '+12125550181' },
      callerId: '+12125550147',
      timeoutSeconds: 23,
      onBehalfOf: a,
    },
  ]);
  await voice.perform([
    {
      id: '1-77.21',
      do: 'createLeg',
      leg: '1-77.22',
      to: { kind: 'sip', uri: 'sip:tie@media.example.test' },
      callerId: '+14155552368',
      callerName: 'Ann\nBrown',
      timeoutSeconds: 2300,
      onBehalfOf: a,
    },
  ]);
  await voice.perform([
    { id: '1-77.3', do: 'answer', leg: a },
    { id: '1-77.4', do: 'bridge', legs: [a, b] },
    { id: '1-77.5', do: 'startRecording', recordingId: '1-77.r', legs: [a, b] },
  ]);
  await voice.perform([{ id: '1-77.6', do: 'stopRecording', recordingId: '1-77.r' }]);
  await voice.getLegStatus(a);
  await voice.perform([{ id: '1-77.7', do: 'hangup', leg: a }]);
  await voice.deleteRecording!(
    `${bandwidth.url}/voice/accounts/9900000/calls/c-1/recordings/r-1/media`,
  );
  await sql`update carrier_leg set carrier_ref = null, state = 'asked', requested_at = now() where leg = ${b}`.execute(
    db.unscoped,
  );
  await voice.getLegStatus(b);
  expect(bandwidth.state.violations).toEqual([]);
  const made = bandwidth.asked
    .filter((x) => x.method === 'POST' && x.path.endsWith('/calls'))
    .map((x) => JSON.parse(x.body) as Record<string, unknown>);
  // A caller's own number cannot be shown at Bandwidth: ours is, with theirs as the name.
  expect(made[0]).toMatchObject({
    applicationId: 'voice-app',
    to: '+12125550181',
    from: '+14155552368',
    displayName: '+12125550147',
    callTimeout: 23,
    tag: b,
    username: 'reports',
    password: 'hush',
  });
  expect(made[1]).toMatchObject({
    to: 'sip:tie@media.example.test',
    from: '+14155552368',
    displayName: 'Ann Brown',
    callTimeout: 300,
  });
  const documents = bandwidth.asked.filter((x) => x.method === 'PUT').map((x) => x.body);
  expect(documents[0]).toMatch(
    /^<\?xml version="1.0" encoding="UTF-8"\?><Bxml><StartRecording [^>]*multiChannel="true"\/><Conference mute="false"/,
  );
  expect(documents[1]).toContain('<Bxml><StopRecording/><Conference');
  expect(documents.flatMap(invalidBxml)).toEqual([]);
  const shapes = new Set(
    bandwidth.asked.map(
      (x) =>
        `${x.method} ${x.path
          .replace('/voice/accounts/9900000', '')
          .replace(/\/c-[^/]+/, '/{call}')
          .replace(/\/r-[^/]+/, '/{recording}')}`,
    ),
  );
  expect([...shapes].sort()).toEqual([
    'DELETE /calls/{call}/recordings/{recording}',
    'GET /calls',
    'GET /calls/{call}',
    'POST /calls',
    'POST /calls/{call}',
    'PUT /calls/{call}/bxml',
  ]);
});
it('a request the document does not allow is seen, so this test can fail', async () => {
  bandwidth.state.violations.length = 0;
  await voice.perform([
    {
      id: '1-78.1',
      do: 'createLeg',
      leg: '1-78.2',
      to: { kind: 'phone', number: '+12125550181' },
      callerId: '+14155552368',
      callerName: 'x'.repeat(10),
      timeoutSeconds: 20,
      onBehalfOf: null,
    },
  ]);
  expect(bandwidth.state.violations).toEqual([]);
  await fetch(`${bandwidth.url}/voice/accounts/9900000/calls`, {
    method: 'POST',
    headers: { authorization: 'Basic YTpi', 'content-type': 'application/json' },
    body: JSON.stringify({ to: '+12125550181', callTimeout: 900 }),
  });
  expect(bandwidth.state.violations.length).toBeGreaterThan(0);
});
/** A caller who talks to somebody: told the conference, as Bandwidth has it. */
async function talking(leg: string): Promise<void> {
  await sql`insert into carrier_leg (carrier, leg, call, carrier_ref, from_number,
      to_number, inbound, state, facts) values ('bandwidth', ${leg}, ${leg}, ${leg}, '+12125550147',
      '+14155552368', true, 'answered', '{"picked": true}')`.execute(db.unscoped);
  await voice.perform([{ id: `${leg}.in`, do: 'join', leg, room: `${leg}~room`, role: 'talk' }]);
}
const documentsOf = (leg: string) =>
  bandwidth.asked
    .filter((x) => x.method === 'PUT' && x.path.includes(`/${leg}/`))
    .map(
      (x) =>
        /<Bxml>(<(?:StartRecording|StopRecording|Conference|SpeakSentence|Pause)\b)/
          .exec(x.body)?.[1]
          ?.slice(1) ?? x.body,
    );
it('a recording that is begun or ended in a talk while Bandwidth is away begins or ends when it is asked again, once', async () => {
  const leg = 'c-talk-1';
  await talking(leg);
  const asked: [VoiceCommand, string][] = [
    [
      { id: `${leg}.rec`, do: 'startRecording', recordingId: `${leg}.r`, legs: [leg, 'other'] },
      'StartRecording',
    ],
    [{ id: `${leg}.end`, do: 'stopRecording', recordingId: `${leg}.r` }, 'StopRecording'],
  ];
  for (const [command, verb] of asked) {
    const before = documentsOf(leg).length;
    bandwidth.state.voiceAway = true;
    await expect(voice.perform([command])).rejects.toThrow('503');
    bandwidth.state.voiceAway = false;
    for (let times = 0; times < 2; times++) await voice.perform([command]);
    // The refused request stands in the list too.
    expect(documentsOf(leg).slice(before)).toEqual([verb, verb]);
  }
  // What is said of a later recording is not undone by an earlier one that is ended again.
  await voice.perform([
    { id: `${leg}.rec2`, do: 'startRecording', recordingId: `${leg}.r2`, legs: [leg, 'other'] },
  ]);
  await voice.perform([{ id: `${leg}.end`, do: 'stopRecording', recordingId: `${leg}.r` }]);
  expect(documentsOf(leg).slice(5)).toEqual(['StartRecording']);
});
describe('an answer to a webhook that is on its way', () => {
  const redirect = (leg: string) =>
    carrier
      .webhooks!.find((w) => w.path.endsWith('/voice'))!
      .handle(
        {
          method: 'POST',
          url: '',
          path: '',
          query: new URLSearchParams({ leg }),
          params: { key: webhookKeyOf(settings.appSecret.toString('hex')) },
          ip: '192.0.2.7',
          headers: { authorization: `Basic ${Buffer.from('reports:hush').toString('base64')}` },
          body: Buffer.from(JSON.stringify({ eventType: 'redirect', callId: leg })),
        },
        {} as never,
      );
  it('what is wanted meanwhile is asked for when it has left, once', async () => {
    const leg = 'c-talk-2';
    await talking(leg);
    const answer = await redirect(leg);
    const performed = voice.perform([
      { id: `${leg}.rec`, do: 'startRecording', recordingId: `${leg}.r`, legs: [leg, 'other'] },
    ]);
    await expect
      .poll(
        async () =>
          (
            await sql<{
              desired_version: number;
            }>`select desired_version from carrier_leg where leg = ${leg}`.execute(db.unscoped)
          ).rows[0]!.desired_version,
      )
      .toBe(2);
    expect(documentsOf(leg)).toEqual(['Conference']);
    await answer.afterSend!();
    await performed;
    expect(documentsOf(leg)).toEqual(['Conference', 'StartRecording']);
  });
  it('it does not stand over what another process has asked for meanwhile', async () => {
    const leg = 'c-talk-3';
    await talking(leg);
    const answer = await redirect(leg);
    const other = bandwidthCarrier({
      settings,
      db,
      files: createFileStore(settings, createDiskStore(join(dataDir, 'files'))),
      log: createLogger('silent', 'test'),
      now: () => new Date(),
    });
    await other.voice!.perform([
      { id: `${leg}.say`, do: 'play', leg, prompts: [{ kind: 'say', text: 'Goodbye' }] },
    ]);
    expect(documentsOf(leg)).toEqual(['Conference', 'SpeakSentence']);
    await answer.afterSend!();
    expect(documentsOf(leg)).toEqual(['Conference', 'SpeakSentence', 'SpeakSentence']);
    await other.close?.();
  });
});
it('without a voice application its numbers only text', () => {
  const quiet = bandwidthCarrier({
    settings: withAdapterSettings(settings, 'bandwidth', {
      ...bandwidthSettings.of(settings),
      voiceApplicationId: null,
    }),
    db,
    files: createFileStore(settings, createDiskStore(join(dataDir, 'files'))),
    log: createLogger('silent', 'test'),
    now: () => new Date(),
  });
  expect([quiet.voice, quiet.webhooks!.filter((w) => w.path.includes('voice'))]).toEqual([
    undefined,
    [],
  ]);
});
