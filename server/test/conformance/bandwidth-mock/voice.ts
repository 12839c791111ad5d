/**
 * A small Bandwidth for tests: takes our voice requests, runs our BXML, plays the far ends, and
 * posts webhooks with Basic credentials. It is stricter than Bandwidth where that finds faults: a
 * call that was not answered takes no new document (409), an ended call is not found when it is
 * changed, recordings need credentials, an unknown verb ends the call. A second takes 20 ms in it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { sendBadResponse } from '../twilio-mock/account.ts';
import {
  BandwidthAccount,
  newCall,
  type BandwidthCall,
  type BandwidthOptions,
  type Body,
} from './account.ts';
import { CallRunner } from './call-runner.ts';
import { refusal, RestApi } from './rest-api.ts';

export async function mockBandwidthVoice(options: BandwidthOptions) {
  const account = new BandwidthAccount(options);
  const runner = new CallRunner(account);
  const api = new RestApi(account, runner);
  const server = createServer((request, response) => {
    void serve(account, api, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  account.apiUrl = `${url}/voice`;
  const { calls, rooms } = account;

  return {
    url,
    calls,
    transcripts: account.transcripts,
    recordings: account.recordings,
    requests: account.requests,
    documents: account.documents,
    errors: account.errors,
    faults: account.faults,
    pace: account.pace,
    busy: account.busy,
    rooms,
    post: account.post.bind(account),
    here: account.webhookUrl,
    /** An outside phone calls. Does not wait for what happens then. */
    callIn: (from: string, to: string) => callIn(account, runner, from, to),
    ringing: (to: string) =>
      [...calls.values()].filter(
        (call) => call.direction === 'outbound' && call.to === to && call.state === 'initiated',
      ),
    answer: runner.answer.bind(runner),
    end: runner.end.bind(runner),
    press(call: BandwidthCall, keys: string): void {
      call.keys += keys;
      call.wake();
    },
    /** It is in a conference with someone else. */
    talking: (call: BandwidthCall) =>
      call.room !== null && (rooms.get(call.room)?.members.size ?? 0) > 1,
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
  account: BandwidthAccount,
  runner: CallRunner,
  from: string,
  to: string,
): BandwidthCall {
  const call = newCall({
    from,
    to,
    direction: 'inbound',
    state: 'initiated',
    answerUrl: `${account.webhookUrl}/voice`,
    disconnectUrl: `${account.webhookUrl}/voice/status`,
    tag: null,
  });
  account.calls.set(call.callId, call);
  runner.start(call, 'initiate');
  return call;
}

async function serve(
  account: BandwidthAccount,
  api: RestApi,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { faults, options } = account;
  const { method = 'GET', headers } = request;
  const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://bandwidth');
  const raw = await text(request);
  if (path.endsWith('/media')) await faults.soundWaits;
  const body = raw.startsWith('{') ? (JSON.parse(raw) as Body) : {};
  account.requests.push({ method, path, body });
  const badResponse = path.startsWith('/voice/') ? faults.answers : 'well';
  if (badResponse === 'tooMany') return void sendBadResponse(badResponse, response);
  const answer = () => {
    const credentials = Buffer.from(`${options.username}:${options.password}`);
    if (faults.away) return refusal(503, 'Service unavailable');
    if (headers.authorization !== `Basic ${credentials.toString('base64')}`)
      return refusal(401, 'Unauthorized');
    return api.handle({ method, path, query, body, raw });
  };
  const { status, body: answered, bytes } = answer();
  if (faults.loseAnswers > 0 && method === 'POST' && path.endsWith('/calls')) {
    faults.loseAnswers--;
    return void request.socket.destroy();
  }
  if (sendBadResponse(badResponse, response)) return;
  response.writeHead(status, { 'content-type': bytes ? 'audio/vnd.wave' : 'application/json' });
  response.end(bytes ?? (answered ? JSON.stringify(answered) : ''));
}
