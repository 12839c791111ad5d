/**
 * A dialog (RFC 3261 §12): its tags, where the other side is reached, and the CSeq numbers of both
 * sides.
 */
import { randomBytes } from 'node:crypto';
import { Headers, type Request, type Response } from './message.ts';
import { readAddress } from './grammar.ts';
import { writeAddress } from './write-message.ts';
import type { Flow, OutgoingRequest } from './transaction-types.ts';

/** An unguessable dialog tag. */
const newTag = (): string => randomBytes(12).toString('hex');

export class Dialog {
  remoteTag = '';
  /** Where requests to the other side are addressed: its Contact. */
  target = '';
  /** The flow to it. A client behind a NAT may come back from another port. */
  flow: Flow;
  #routes: readonly string[] = [];
  /** The last CSeq number of each side. */
  #localNumber = 0;
  #remoteNumber = -1;

  private constructor(
    readonly callId: string,
    readonly localTag: string,
    /** Both addresses, without tags. */
    private readonly local: { name?: string | null; uri: string },
    private readonly remote: { name?: string; uri: string },
    /** Our Contact, `<sip:…>`. */
    readonly contact: string,
    flow: Flow,
  ) {
    this.flow = flow;
  }

  /** The dialog that a received INVITE begins. `tag`: ours. */
  static fromInvite(request: Request, flow: Flow, tag: string, contact: string): Dialog {
    const { from, to, callId } = request;
    const dialog = new Dialog(callId, tag, to, from, contact, flow);
    dialog.remoteTag = from.params.get('tag') ?? '';
    dialog.#remoteNumber = request.cseq.number;
    dialog.#routes = request.headers.list('record-route');
    dialog.target = contactOf(request) ?? from.uri;
    return dialog;
  }

  /** The dialog for an INVITE of ours. `target`: the Contact to send it to. */
  static forInvite(
    local: { name?: string | null; uri: string },
    remote: { uri: string },
    target: string,
    contact: string,
    flow: Flow,
  ): Dialog {
    const dialog = new Dialog(
      `${newTag()}@${local.uri.split('@').at(-1) ?? ''}`,
      newTag(),
      local,
      remote,
      contact,
      flow,
    );
    dialog.target = target;
    return dialog;
  }

  /** A 200 to our INVITE: takes the tag, route set and Contact of the other side from it. */
  confirm(response: Response): void {
    this.remoteTag = response.to.params.get('tag') ?? '';
    this.#routes = [...response.headers.list('record-route')].reverse();
    this.target = contactOf(response) ?? this.target;
  }

  /**
   * False when a request is out of order and has to be refused with 500 (§12.2.2). Otherwise the
   * flow and, for an INVITE, the target are updated.
   */
  accepts(request: Request, flow: Flow): boolean {
    const { number, method } = request.cseq;
    if (method !== 'ACK' && number < this.#remoteNumber) return false;
    this.#remoteNumber = Math.max(number, this.#remoteNumber);
    this.flow = flow;
    if (method === 'INVITE') this.target = contactOf(request) ?? this.target;
    return true;
  }

  /** Whether a request that carries our tag is from the other side of this dialog. */
  matches(request: Request): boolean {
    return (request.from.params.get('tag') ?? '') === this.remoteTag;
  }

  /** The next request of ours. A `body` is SDP unless `extraHeaders` names another content type. */
  request(
    method: string,
    extraHeaders: Readonly<Record<string, string>> = {},
    body?: string,
  ): OutgoingRequest {
    this.#localNumber++;
    return this.#write(method, this.#localNumber, extraHeaders, body);
  }

  /** The ACK of a 200. `number`: the CSeq number of its INVITE. */
  ack(number: number, body?: string): OutgoingRequest {
    return this.#write('ACK', number, {}, body);
  }

  #write(
    method: string,
    number: number,
    extraHeaders: Readonly<Record<string, string>>,
    body: string | undefined,
  ): OutgoingRequest {
    const headers = new Headers({
      'max-forwards': '70',
      route: this.#routes,
      from: writeAddress({ ...this.local, tag: this.localTag }),
      to: writeAddress({
        ...this.remote,
        ...(this.remoteTag === '' ? {} : { tag: this.remoteTag }),
      }),
      'call-id': this.callId,
      cseq: `${number} ${method}`,
      contact: this.contact,
      ...(body ? { 'content-type': 'application/sdp' } : {}),
      ...extraHeaders,
    });
    return { method, uri: this.target, headers, body };
  }
}

/** The URI in the first Contact; null when there is none. */
function contactOf({ headers }: Request | Response): string | null {
  const [contact = ''] = headers.list('contact');
  return readAddress(contact)?.uri ?? null;
}
