import { afterAll, beforeAll, expect, test } from 'vitest';
import { build, type Rollup } from 'vite';
import type { Browser } from 'playwright-core';
import { startTestExchange } from '../server/test/support/exchange-harness.ts';
import { ha1Of } from '../server/src/exchange/sip/digest.ts';
import { freePort } from '../server/test/support/free-port.ts';
import { launchChromium } from '../tools/chromium.ts';

/** A page with none of our code: the stock sip.js library, over WebSocket and WebRTC. */
const realm = 'phones.test';
let browser: Browser;
let world: Awaited<ReturnType<typeof startTestExchange>>;
let port = 0;
const placed: string[] = [];

beforeAll(async () => {
  port = await freePort();
  world = await startTestExchange({
    sip: {
      port,
      host: '127.0.0.1',
      realm,
      findUser: (user) =>
        Promise.resolve(
          user === 'u7' ? { userId: 7, companies: [1], ha1: ha1Of('u7', realm, 'right') } : null,
        ),
      placeCall: async ({ to, device }) => {
        placed.push(to);
        await world.perform({
          do: 'createLeg',
          leg: 'dialled',
          to: { kind: 'app', userId: 7, companyId: 1, device },
          callerId: '+14155552368',
          timeoutSeconds: 20,
          onBehalfOf: null,
        });
        return { leg: 'dialled' };
      },
      onPresence: () => Promise.resolve(),
    },
  });
  browser = await launchChromium();
}, 180_000);
afterAll(async () => {
  await browser.close();
  await world.close();
});

async function sipJs(): Promise<string> {
  const entry = '\0page';
  const made = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id.endsWith('page.js') ? entry : null),
        load: (id) => (id === entry ? "import * as SIP from 'sip.js'; window.SIP = SIP;" : null),
      },
    ],
    build: {
      write: false,
      minify: false,
      rollupOptions: { input: 'page.js', output: { format: 'iife' } },
    },
  })) as Rollup.RollupOutput;
  return made.output[0].code;
}

test('a stock sip.js page registers with the right password only, receives a call and talks, and places one', async () => {
  const page = await (
    await browser.newContext({ permissions: ['microphone'], bypassCSP: true })
  ).newPage();
  page.on('pageerror', (trouble) => console.log('page error:', trouble.message));
  await page.addInitScript({ content: 'globalThis.__name = (thing) => thing;' });
  await page.goto(`${world.url}/livez`);
  await page.addScriptTag({ content: await sipJs() });
  const outcome = await page.evaluate(
    async ({ port: at, realm: domain }) => {
      const { SIP } = window as unknown as { SIP: typeof import('sip.js') };
      const state = window as unknown as {
        phone: InstanceType<typeof SIP.UserAgent>;
        rung: string[];
      };
      state.rung = [];
      const start = async (password: string): Promise<string> => {
        const phone = new SIP.UserAgent({
          uri: SIP.UserAgent.makeURI(`sip:u7@${domain}`)!,
          authorizationUsername: 'u7',
          authorizationPassword: password,
          logLevel: 'error',
          transportOptions: { server: `ws://127.0.0.1:${at}` },
          sessionDescriptionHandlerFactoryOptions: {
            peerConnectionConfiguration: { iceServers: [] },
            iceGatheringTimeout: 500,
          },
          delegate: {
            onInvite: (call) => {
              state.rung.push(call.remoteIdentity.uri.user ?? '');
              void call.accept({
                sessionDescriptionHandlerOptions: { constraints: { audio: true, video: false } },
              });
            },
          },
        });
        await phone.start();
        const registerer = new SIP.Registerer(phone, { expires: 60 });
        const said = await new Promise<string>(
          (resolve) =>
            void registerer.register({
              requestDelegate: {
                onAccept: () => resolve('accepted'),
                onReject: (response) => resolve(`rejected ${response.message.statusCode ?? ''}`),
              },
            }),
        );
        if (said === 'accepted') state.phone = phone;
        else await phone.stop();
        return said;
      };
      return [await start('wrong'), await start('right')];
    },
    { port, realm },
  );
  expect(outcome).toEqual(['rejected 403', 'accepted']);

  await world.perform({
    do: 'createLeg',
    leg: 'rung',
    to: { kind: 'app', userId: 7, companyId: 1 },
    callerId: '+12125550147',
    timeoutSeconds: 30,
    onBehalfOf: null,
  });
  expect((await world.told('legAnswered', 'rung')).by?.device).toMatch(/^sip-u7-/);
  expect(await page.evaluate(() => (window as unknown as { rung: string[] }).rung)).toEqual([
    '+12125550147',
  ]);
  const leg = world.exchange.legs.get('rung');
  await expect
    .poll(() => leg?.peer?.lastReceivedMs() ?? 0, {
      timeout: 30_000,
      message: 'the page’s microphone is heard',
    })
    .toBeGreaterThan(0);
  await world.perform({ do: 'hangup', leg: 'rung' });

  await page.evaluate(async (domain) => {
    const { SIP, phone } = window as unknown as {
      SIP: typeof import('sip.js');
      phone: InstanceType<(typeof import('sip.js'))['UserAgent']>;
    };
    await new SIP.Inviter(phone, SIP.UserAgent.makeURI(`sip:2125550148@${domain}`)!, {
      sessionDescriptionHandlerOptions: { constraints: { audio: true, video: false } },
    }).invite();
  }, realm);
  await world.told('legAnswered', 'dialled');
  expect(placed).toEqual(['2125550148']);
  // It rings until the other side is heard.
  await world.perform({ do: 'play', leg: 'dialled', prompts: [{ kind: 'say', text: 'Hello' }] });
  await expect
    .poll(() => world.exchange.legs.get('dialled')?.peer?.lastReceivedMs() ?? 0, {
      timeout: 30_000,
    })
    .toBeGreaterThan(0);
}, 180_000);
