import { expect, test } from 'vitest';
import { loudnessAt } from '../../server/src/platform/audio/loudness.ts';
import { readWav } from '../../server/src/platform/audio/wav.ts';
import { espeakSpeech } from '../../server/src/adapters/speech-espeak/speech.ts';
import { openPhonePage, joinCall, measureFrequencies, waitUntil } from '../browser-phone.ts';
import { productUrl, sharedBrowser } from '../browser.ts';
import { loudnessCorrelation } from '../sound.ts';

/**
 * The demo company's main line greets with a menu; 1 rings the front desk's app, 3 takes a message.
 */
const MAIN_LINE = '+12125552300';
const [callerHz, agentHz] = [620, 910];

async function post<T>(path: string, body: object, token?: string): Promise<T> {
  const answer = await fetch(`${productUrl()}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
  });
  expect(answer.status, path).toBeLessThan(300);
  return (await answer.json()) as T;
}
const get = async <T>(path: string, token?: string): Promise<T> =>
  (await (
    await fetch(`${productUrl()}${path}`, {
      headers: token ? { authorization: `Bearer ${token}` } : {},
    })
  ).json()) as T;
async function signIn(email: string): Promise<{ token: string; companyId: number }> {
  const { token } = await post<{ token: { access_token: string } }>('/api/sanctum/login', {
    email,
    password: 'trunkline-demo',
  });
  const { data } = await get<{ data: { id: number; name: string }[] }>(
    '/api/companies/slim',
    token.access_token,
  );
  return {
    token: token.access_token,
    companyId: data.find(({ name }) => name === 'Harbor Dental')?.id ?? 0,
  };
}
interface Item {
  kind: string;
  details: {
    callId: number;
    url?: string;
    recordingUrl?: string;
    transcription?: string | null;
    transcriptionState?: string;
  };
}
const latest = async (
  who: { token: string; companyId: number },
  phone: string,
): Promise<Item | undefined> =>
  (
    await post<{ data: (Item & { recipient: string })[] }>(
      '/api/activity',
      { company_id: who.companyId },
      who.token,
    )
  ).data.find(({ recipient }) => recipient === phone);
const sound = async (url: string): Promise<Int16Array[]> =>
  readWav(new Uint8Array(await (await fetch(new URL(url, productUrl()))).arrayBuffer()))
    ?.channels ?? [];

test('a caller presses 1 and an agent’s browser answers: each hears the other and not themselves, and so does the recording', async () => {
  const who = await signIn('user@demo.test');
  const pass = await post<{ data: { token: string } }>(
    '/api/in-app-calling/token',
    { device: 'app-two-browsers', company_id: who.companyId },
    who.token,
  );
  const handset = await post<{ data: { token: string; number: string } }>(
    '/sandbox/handset/token',
    { number: '212-555-0181' },
  );
  const browser = await sharedBrowser();
  const [caller, agent] = [
    await openPhonePage(browser, `${productUrl()}/livez`),
    await openPhonePage(browser, `${productUrl()}/livez`),
  ];
  await joinCall(agent, pass.data.token, agentHz);
  await joinCall(caller, handset.data.token, callerHz);

  const call = await caller.evaluate((to) => window.phone.dial(to), MAIN_LINE);
  // The menu is a voice, not a steady tone.
  await caller.waitForFunction(
    () => window.captions.some((words) => words.includes('press 1')),
    null,
    { timeout: 60_000 },
  );
  await caller.evaluate((leg) => window.phone.keys(leg, '1'), call);
  await agent.waitForFunction(() => window.said.some((word) => word.startsWith('ring ')), null, {
    timeout: 60_000,
  });
  await agent.evaluate(() => window.phone.answer(window.phone.snapshot().lines[0]!.leg));

  const atAgent = await waitUntil(
    () => measureFrequencies(agent, callerHz, agentHz),
    ([other = 0]) => other > 0.1,
  );
  const atCaller = await waitUntil(
    () => measureFrequencies(caller, agentHz, callerHz),
    ([other = 0]) => other > 0.1,
  );
  for (const [other = 0, own = 1] of [atAgent, atCaller]) {
    expect(other).toBeGreaterThan(0.1);
    expect(own).toBeLessThan(0.03);
  }
  await new Promise((resolve) => setTimeout(resolve, 2000));
  await caller.evaluate((leg) => window.phone.hangup(leg), call);
  await agent.waitForFunction(() => window.said.some((word) => word.startsWith('ended ')));

  const kept = await waitUntil(
    () => latest(who, handset.data.number),
    (item) => Boolean(item?.details.recordingUrl),
  );
  const channels = await sound(kept?.details.recordingUrl ?? '');
  expect(channels).toHaveLength(2);
  const end = (channel: number): Int16Array =>
    (channels[channel] ?? new Int16Array(0)).slice(-20_000, -4000);
  expect(
    [loudnessAt(end(0), callerHz, 16_000), loudnessAt(end(1), agentHz, 16_000)].every(
      (level) => level > 0.1,
    ),
  ).toBe(true);
  expect(
    [loudnessAt(end(0), agentHz, 16_000), loudnessAt(end(1), callerHz, 16_000)].every(
      (level) => level < 0.02,
    ),
  ).toBe(true);
});

test('a voicemail’s file holds what was spoken', async () => {
  const who = await signIn('user@demo.test');
  const words =
    'Good morning, this is Ada Lovelace. Please call me back about my appointment on Tuesday.';
  const { data } = await post<{ data: { id: string } }>('/sandbox/calls', {
    from: '+12125550182',
    to: MAIN_LINE,
    speech: words,
  });
  interface Phone {
    state: string;
    speaking: boolean;
    heard: { kind: string; what: string }[];
  }
  const look = (): Promise<Phone> => get<Phone>(`/sandbox/calls/${data.id}`);
  await waitUntil(look, ({ heard }) => heard.some(({ what }) => what.includes('press 1')));
  await post(`/sandbox/calls/${data.id}/keys`, { digits: '3' });
  await waitUntil(look, ({ heard }) => heard.some(({ kind }) => kind === 'beep'));
  await waitUntil(look, ({ speaking }) => !speaking);
  await post(`/sandbox/calls/${data.id}/hangup`, {});

  const left = await waitUntil(
    () => latest(who, '+12125550182'),
    (item) => item?.kind === 'voicemail' && item.details.transcriptionState === 'ready',
  );
  expect(left?.details.transcription).toBe(words);
  const spoken = await espeakSpeech().synthesize({ text: words });
  const [heard = new Int16Array(0)] = await sound(left?.details.url ?? '');
  expect(loudnessCorrelation(heard, spoken.pcm16k)).toBeGreaterThan(0.9);
});
