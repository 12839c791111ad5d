/** A dialog (RFC 3261 §12): what both sides of a call call it, where the other side is reached, and who is counting where. */
import { randomBytes } from 'node:crypto';
import { Headers, type Request, type Response } from './message.ts';
import { readAddress } from './grammar.ts';
import { writeAddress } from './write-message.ts';
import type { Flow, OutgoingRequest } from './transaction-types.ts';

export const newTag = (): string => randomBytes(12).toString('hex');

export class Dialog {
  remoteTag = '';
  /** Where requests to the other side are addressed: its Contact. */
  target = '';
  /** The way to it; it may come back from another port. */
  flow: Flow;
  #routes: readonly string[] = [];
  #localNumber = 0;
  #remoteNumber = -1;

  private constructor(
    readonly callId: string,
    readonly localTag: string,
    /** Addresses of both, without tags. */
    private readonly local: { name?: string | null; uri: string },
    private readonly remote: { name?: string; uri: string },
    /** `<sip:…>`: where the other side reaches us. */
    readonly contact: string,
    flow: Flow,
  ) {
    this.flow = flow;
  }

  /** The other side invites us. */
  static fromInvite(request: Request, flow: Flow, tag: string, contact: string): Dialog {
    const { from, to, callId } = request;
    const dialog = new Dialog(callId, tag, to, from, contact, flow);
    dialog.remoteTag = from.params.get('tag') ?? '';
    dialog.#remoteNumber = request.cseq.number;
    dialog.#routes = request.headers.list('record-route');
    dialog.target = contactOf(request) ?? from.uri;
    return dialog;
  }

  /** We invite the other side. */
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

  /** It answered our INVITE: now both have names. */
  confirm(response: Response): void {
    this.remoteTag = response.to.params.get('tag') ?? '';
    this.#routes = [...response.headers.list('record-route')].reverse();
    this.target = contactOf(response) ?? this.target;
  }

  /** True when a request within the dialog is in order; it may have moved then. */
  accepts(request: Request, flow: Flow): boolean {
    const { number, method } = request.cseq;
    if (method !== 'ACK' && number < this.#remoteNumber) return false;
    this.#remoteNumber = Math.max(number, this.#remoteNumber);
    this.flow = flow;
    if (method === 'INVITE') this.target = contactOf(request) ?? this.target;
    return true;
  }
  /** Whether a request that names our tag comes from the other side of this dialog. */
  matches(request: Request): boolean {
    return (request.from.params.get('tag') ?? '') === this.remoteTag;
  }

  request(
    method: string,
    more: Readonly<Record<string, string>> = {},
    body?: string,
  ): OutgoingRequest {
    this.#localNumber++;
    return this.#written(method, this.#localNumber, more, body);
  }
  /** ACK has the number of its INVITE. */
  ack(number: number, body?: string): OutgoingRequest {
    return this.#written('ACK', number, {}, body);
  }

  #written(
    method: string,
    number: number,
    more: Readonly<Record<string, string>>,
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
      ...more,
    });
    return { method, uri: this.target, headers, body };
  }
}

/** Where a message says its sender is reached; null when it does not. */
function contactOf({ headers }: Request | Response): string | null {
  const [contact = ''] = headers.list('contact');
  return readAddress(contact)?.uri ?? null;
}
