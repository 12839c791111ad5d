/**
 * A small Twilio for tests: takes our REST requests, runs our TwiML, plays the far ends, and posts
 * signed webhooks. It is stricter than Twilio where that finds faults: a call that was not answered
 * can't be redirected (21220), ended calls are not found, recordings need credentials. A second
 * takes 20 ms in it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  newCall,
  pause,
  sendBadResponse,
  sidOf,
  TwilioAccount,
  type SimulatedCall,
  type TwilioOptions,
} from './account.ts';
import { CallRunner } from './call-runner.ts';
import { refusal, RestApi } from './rest-api.ts';

export async function mockTwilio(options: TwilioOptions) {
  const account = new TwilioAccount(options);
  const runner = new CallRunner(account);
  const api = new RestApi(account, runner);
  const server = createServer((request, response) => {
    void serve(account, api, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { calls, rooms } = account;

  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    messages: account.messages,
    recordings: account.recordings,
    owned: account.owned,
    requests: account.requests,
    documents: account.documents,
    errors: account.errors,
    faults: account.faults,
    pace: account.pace,
    busy: account.busy,
    rejectsTexts: account.rejectsTexts,
    rooms,
    post: account.post.bind(account),
    /** An outside phone calls. Does not wait for what happens then. */
    callIn: (from: string, to: string) => callIn(account, runner, from, to),
    ringing: (to: string) =>
      [...calls.values()].filter(
        (call) => call.direction === 'outbound-api' && call.to === to && call.status === 'ringing',
      ),
    answer: runner.answer.bind(runner),
    end: runner.end.bind(runner),
    press(call: SimulatedCall, keys: string): void {
      call.keys += keys;
      call.wake();
    },
    /** It is in a conference with someone else. */
    talking: (call: SimulatedCall) =>
      call.room !== null && (rooms.get(call.room)?.members.size ?? 0) > 1,
    textIn: (from: string, to: string, body: string, media: { url: string; type: string }[] = []) =>
      account.post(`${options.publicUrl}/carriers/twilio/sms`, {
        AccountSid: options.accountSid,
        MessageSid: sidOf('SM'),
        From: from,
        To: to,
        Body: body,
        NumMedia: String(media.length),
        ...Object.fromEntries(
          media.flatMap(({ url, type }, i) => [
            [`MediaUrl${i}`, url],
            [`MediaContentType${i}`, type],
          ]),
        ),
      }),
    /** Gives late webhooks time to arrive. */
    quiet: () => pause(200),
    close: async () => {
      account.closed = true;
      for (const call of calls.values()) {
        call.wake();
        call.sip?.hangUp();
      }
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function callIn(
  account: TwilioAccount,
  runner: CallRunner,
  from: string,
  to: string,
): SimulatedCall {
  const webhooks = `${account.options.publicUrl}/carriers/twilio/voice`;
  const call = newCall({
    from,
    to,
    direction: 'inbound',
    status: 'ringing',
    url: webhooks,
    statusCallback: `${webhooks}/status`,
    token: `token-${from}`,
  });
  account.calls.set(call.sid, call);
  runner.start(call);
  return call;
}

/** Which of `loseAnswers` a path counts for. */
const losable = { Calls: 'calls', Messages: 'texts', Recordings: 'recordings' } as const;

async function serve(
  account: TwilioAccount,
  api: RestApi,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { faults, options } = account;
  const { method = 'GET', headers } = request;
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://twilio');
  const form = Object.fromEntries(new URLSearchParams(await text(request)));
  const host = String(headers['x-twilio-host'] ?? '');
  account.requests.push({ method, path: pathname, form, host });
  const badResponse = /\/Calls[./]/.test(pathname) ? faults.answers : 'well';
  if (badResponse === 'tooMany') return void sendBadResponse(badResponse, response);
  const answer = () => {
    const credentials = Buffer.from(`${options.accountSid}:${options.authToken}`);
    if (faults.away) return refusal(503, 20503, 'Service unavailable');
    if (headers.authorization !== `Basic ${credentials.toString('base64')}`)
      return refusal(401, 20003, 'Authenticate');
    const path = pathname.replace(/\.(json|wav)$/, '');
    return api.handle({ method, path, form, query: Object.fromEntries(searchParams) });
  };
  const { status, body, bytes } = answer();
  const created = /\/(Calls|Messages|Recordings)\.json$/.exec(pathname)?.[1];
  const lost = method === 'POST' && created ? losable[created as keyof typeof losable] : null;
  if (lost && faults.loseAnswers[lost] > 0) {
    faults.loseAnswers[lost]--;
    return void request.socket.destroy();
  }
  if (sendBadResponse(badResponse, response)) return;
  response.writeHead(status, { 'content-type': bytes ? 'audio/x-wav' : 'application/json' });
  response.end(bytes ?? (body ? JSON.stringify(body) : ''));
}
