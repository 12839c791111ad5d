import { tone } from '../../../src/platform/audio/tones.ts';
import { writeWav } from '../../../src/platform/audio/wav.ts';
import { newCall, type BandwidthAccount, type BandwidthCall, type Body } from './account.ts';
import { isOver, type CallRunner } from './call-runner.ts';

interface RestResponse {
  status: number;
  body?: object;
  bytes?: Buffer;
}
interface RestRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Body;
  /** The body as it came. */
  raw: string;
}

const callPath =
  /^\/voice\/accounts\/\d+\/calls(?:\/([^/]+))?(?:\/(bxml|recordings))?(?:\/([^/]+))?(?:\/(media|transcription))?$/;
export const refusal = (status: number, description: string): RestResponse => ({
  status,
  body: { type: 'validation', description },
});

/** The voice API of the mock. */
export class RestApi {
  constructor(
    private readonly account: BandwidthAccount,
    private readonly runner: CallRunner,
  ) {}

  handle(request: RestRequest): RestResponse {
    const { method, path, query, body } = request;
    const [, callId, sub, recordingId, part] = callPath.exec(path) ?? [];
    if (!path.startsWith('/voice/'))
      return refusal(404, `this Bandwidth knows no ${method} ${path}`);
    if (!callId) return method === 'POST' ? this.#createCall(body) : this.#listCalls(query);
    const call = this.account.calls.get(callId);
    if (!call) return refusal(404, 'Call not found');
    if (sub === 'recordings') return this.#recording(method, recordingId ?? '', part);
    if (method === 'GET') return { status: 200, body: this.#present(call) };
    // Stricter than Bandwidth: an ended call can't be changed.
    if (isOver(call)) return refusal(404, 'Call not found');
    if (sub === 'bxml') return this.#replaceDocument(call, request.raw);
    if (body['state'] !== 'completed') return refusal(400, 'not understood');
    const cause = call.direction === 'inbound' ? 'rejected' : 'cancel';
    this.runner.end(call, call.state === 'answered' ? 'hangup' : cause);
    return { status: 200 };
  }

  #listCalls(query: URLSearchParams): RestResponse {
    const since = query.get('minStartTime') ?? '';
    const found = [...this.account.calls.values()].filter(
      (call) =>
        call.direction === 'outbound' && call.to === query.get('to') && call.enqueuedTime >= since,
    );
    return { status: 200, body: found.map((call) => this.#present(call)) };
  }

  #createCall(body: Body): RestResponse {
    const { account } = this;
    const to = String(body['to']);
    if (account.faults.refuses.has(to)) return refusal(400, 'The destination cannot be called.');
    if (body['username'] !== account.options.webhook.username)
      account.errors.push('a call was created without credentials for its webhooks');
    const call = newCall({
      from: String(body['from']),
      to,
      direction: 'outbound',
      state: 'queued',
      answerUrl: String(body['answerUrl']),
      disconnectUrl: body['disconnectUrl'] ? String(body['disconnectUrl']) : null,
      tag: body['tag'] ? String(body['tag']) : null,
    });
    account.calls.set(call.callId, call);
    account.inBackground(() => this.runner.ring(call));
    return {
      status: 201,
      body: {
        ...this.#present(call),
        callUrl: account.callUrl(call),
        answerUrl: call.answerUrl,
        answerMethod: 'POST',
        disconnectMethod: 'POST',
      },
    };
  }

  /** Stricter than Bandwidth: a call that was not answered takes no new document. */
  #replaceDocument(call: BandwidthCall, document: string): RestResponse {
    if (call.state !== 'answered') return refusal(409, 'The call is not answered');
    this.account.documents.push(document);
    call.wake();
    this.account.inBackground(() => this.runner.run(call, document));
    return { status: 204 };
  }

  #recording(method: string, id: string, part: string | undefined): RestResponse {
    const { recordings, transcripts } = this.account;
    if (!recordings.has(id)) return refusal(404, 'Recording not found');
    if (part === 'transcription') {
      const transcript = transcripts.get(id);
      return transcript
        ? { status: 200, body: transcript }
        : refusal(404, 'Transcription not found');
    }
    if (method === 'DELETE') {
      recordings.delete(id);
      return { status: 204 };
    }
    const channels = [tone([440], 500), tone([660], 500)];
    return { status: 200, bytes: writeWav({ sampleRate: 8000, channels }) };
  }

  #present(call: BandwidthCall) {
    return {
      callId: call.callId,
      accountId: this.account.options.accountId,
      applicationId: 'voice-app',
      from: call.from,
      to: call.to,
      direction: call.direction,
      state: call.state,
      enqueuedTime: call.enqueuedTime,
      startTime: call.enqueuedTime,
      answerTime: call.answerTime,
      endTime: null,
      disconnectCause: call.cause,
      lastUpdate: call.enqueuedTime,
    };
  }
}
